{-# LANGUAGE GADTs #-}
-- | A store of values in memory.
module Example.Store
  ( Store (..)
  , get
  ) where

import qualified Data.Map as Map

-- | Keeps values.
data Store k v
  = Store { values :: Map.Map k v, limit :: !Int }
  | Empty
  deriving (Eq, Show)

newtype Key = Key { unKey :: String }

-- | What is called on changes.
type Listener v = v -> IO ()

data Term a where
  Lit :: Int -> Term Int
  IsZero :: Term Int -> Term Bool

-- | What has a size.
class Sized f where
  -- | How large it is.
  size :: f a -> Int
  size _ = 0
  type Elem f

instance Sized (Store k) where
  size (Store vs _) = Map.size vs
  size Empty = 0

type family Value f
type instance Value (Store k v) = v

-- | Finds a value.
get :: Ord k => k -> Store k v -> Maybe v
get _ Empty = Nothing
get key (Store vs _)
  | limit' > 0 = found
  | otherwise = Nothing
  where
    found = Map.lookup key vs
    limit' = 10

infixl 6 <+>
(<+>) :: Int -> Int -> Int
a <+> b = a + b

capacity :: Int
capacity = 1024

a, b :: Int
(a, b) = (1, 2)

pattern Pair x y = (x, y)

foreign import ccall "math.h sin" c_sin :: Double -> Double

main = print capacity
