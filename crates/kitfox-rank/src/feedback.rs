//! A query moved towards what it finds.

use crate::constants::feedback::WEIGHT;

/// A query's unit vector, moved towards the mean of the vectors of the best that were found, as a
/// unit vector again; none where there are none. Rocchio's relevance feedback (1971), with what was
/// found taken for relevant.
pub fn moved_towards(query: &[f32], found: &[Vec<f32>]) -> Option<Vec<f32>> {
    let mut mean = vec![0.0; query.len()];
    for vector in found {
        mean.iter_mut().zip(vector).for_each(|(sum, element)| *sum += element);
    }
    scale(&mut mean)?;
    let mut moved: Vec<f32> =
        query.iter().zip(&mean).map(|(query, mean)| query + WEIGHT * mean).collect();
    scale(&mut moved)?;
    Some(moved)
}

/// Scales a vector to length 1; none for a null vector.
fn scale(vector: &mut [f32]) -> Option<()> {
    let norm = vector.iter().map(|element| element * element).sum::<f32>().sqrt();
    if norm == 0.0 {
        return None;
    }
    vector.iter_mut().for_each(|element| *element /= norm);
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_is_moved_towards_what_it_finds() {
        let moved = moved_towards(&[1.0, 0.0], &[vec![0.0, 1.0]]).unwrap();
        assert!((moved[1] / moved[0] - WEIGHT).abs() < 1e-6);
        assert!((moved[0].hypot(moved[1]) - 1.0).abs() < 1e-6);
        assert_eq!(moved_towards(&[1.0, 0.0], &[]), None);
        assert_eq!(moved_towards(&[1.0, 0.0], &[vec![0.0, 0.0]]), None);
    }
}
