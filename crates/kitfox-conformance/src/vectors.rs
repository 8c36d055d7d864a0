//! Vectors as the contract keeps them: 8-bit integers scaled to their largest element.

/// The cosine of what is kept of two vectors of one length; 0 where either is null.
pub(crate) fn cosine(query: &[f32], vector: &[f32]) -> f32 {
    let (query, vector) = (quantised(query), quantised(vector));
    let dot: i32 = query.iter().zip(&vector).map(|(a, b)| a * b).sum();
    (dot as f32 * inverse_norm(&query) * inverse_norm(&vector)).clamp(-1.0, 1.0)
}

/// What is kept of a vector, as a unit vector.
pub(crate) fn kept(vector: &[f32]) -> Vec<f32> {
    let kept = quantised(vector);
    let inverse_norm = inverse_norm(&kept);
    kept.iter().map(|&element| element as f32 * inverse_norm).collect()
}

fn quantised(vector: &[f32]) -> Vec<i32> {
    let largest = vector.iter().fold(0.0, |largest: f32, value| largest.max(value.abs()));
    let scale = if largest > 0.0 { 127.0 / largest } else { 0.0 };
    vector.iter().map(|value| (value * scale).round() as i32).collect()
}

fn inverse_norm(vector: &[i32]) -> f32 {
    let squares: i32 = vector.iter().map(|value| value * value).sum();
    if squares > 0 { (1.0 / f64::from(squares).sqrt()) as f32 } else { 0.0 }
}
