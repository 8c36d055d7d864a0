import React from 'react'

interface Props {
  name: string
}

/** Greets someone. */
export const Greeting: React.FC<Props> = ({ name }) => {
  const onClick = () => console.log(name)
  return <button onClick={onClick}>Hello {name}</button>
}

export default function App() {
  return (
    <main>
      <Greeting name="fox" />
    </main>
  )
}

export class Counter extends React.Component<Props> {
  state = { count: 0 }

  render() {
    return <p>{this.state.count}</p>
  }
}
