//! Quantised vectors and their dot products.
//!
//! A vector becomes int8 values by its own scale: its largest component becomes ±127. The scale
//! itself cancels out of a cosine, which is the dot product of the int8 values divided by their
//! norms. The dot products are exact integers, so every kernel gives the same answer.

/// The largest supported number of dimensions: dot products stay far from overflowing an `i32`.
pub(super) const MAX_DIMENSION: usize = 1 << 14;

/// Rows this far ahead are asked for while one is multiplied: 4 KiB at 256 dimensions.
const PREFETCH_ROWS: usize = 16;

/// Replaces `out` by the int8 form of a vector, the value of a document's vector field.
///
/// Components become -127..=127, the largest in magnitude becoming ±127. What is not finite is lost:
/// NaN becomes 0, and beside an infinity everything does.
pub fn quantise(vector: &[f32], out: &mut Vec<u8>) {
    let largest = vector.iter().fold(0.0, |largest: f32, value| largest.max(value.abs()));
    let scale = if largest > 0.0 { 127.0 / largest } else { 0.0 };
    let scaled = vector.iter().map(|value| (value * scale).round().clamp(-127.0, 127.0) as i8);
    out.clear();
    out.extend(scaled.map(i8::cast_unsigned));
}

/// A query vector made ready for scanning.
#[derive(Clone, Debug)]
pub struct Query {
    /// Never -128, whose negation AVX2's sign trick could not represent; padded with zeros to whole
    /// registers.
    values: Vec<i8>,
    dimension: usize,
    inverse_norm: f32,
    /// 128 times the sum of the values, see [`vnni`](x86::vnni).
    bias: i32,
    kernel: Kernel,
}

impl Query {
    /// Quantises a vector, by a scale of its own.
    pub fn new(vector: &[f32]) -> Query {
        let mut bytes = Vec::new();
        quantise(vector, &mut bytes);
        let mut values = as_signed(&bytes).to_vec();
        let inverse_norm = inverse_norm(&values);
        let sum = values.iter().map(|&value| i32::from(value)).fold(0, i32::wrapping_add);
        values.resize(vector.len().next_multiple_of(64), 0);
        Query {
            values,
            dimension: vector.len(),
            inverse_norm,
            bias: sum.wrapping_mul(128),
            kernel: Kernel::best(),
        }
    }

    /// How many dimensions the vector has.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The cosine for a dot product with a row whose inverse norm this is; 0 if either is null.
    #[expect(
        clippy::manual_clamp,
        reason = "turns a NaN, which only a damaged file can bring, into -1; clamp would keep it"
    )]
    pub(super) fn cosine(&self, dot: i32, inverse_norm: f32) -> f32 {
        (dot as f32 * self.inverse_norm * inverse_norm).max(-1.0).min(1.0)
    }

    /// The dot product with one row of this query's dimension.
    pub(super) fn dot(&self, row: &[i8]) -> i32 {
        let mut dot = [0];
        self.dots(row, &[0], &mut dot);
        dot[0]
    }

    /// The dot products with the selected ones of `rows`, which lie one after the other; writes as
    /// many as there are places in `dots`. A row that is not there counts as null.
    pub(super) fn dots(&self, rows: &[i8], selected: &[u32], dots: &mut [i32]) {
        match self.kernel {
            Kernel::Portable => each_row(self, rows, selected, dots, portable),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `Kernel::available` offers this kernel only where its features were detected.
            Kernel::Vnni => unsafe { x86::dots_vnni(self, rows, selected, dots) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            Kernel::Avx2 => unsafe { x86::dots_avx2(self, rows, selected, dots) },
            #[cfg(target_arch = "aarch64")]
            // SAFETY: as above.
            Kernel::Neon => unsafe { arm::dots_neon(self, rows, selected, dots) },
        }
    }
}

/// The inverse of a row's Euclidean norm, or 0 for a null row.
pub(super) fn inverse_norm(row: &[i8]) -> f32 {
    let squares = row.iter().map(|&value| i32::from(value) * i32::from(value));
    match squares.fold(0, i32::wrapping_add) {
        ..=0 => 0.0,
        sum => (1.0 / f64::from(sum).sqrt()) as f32,
    }
}

/// Reads bytes as the int8 values they hold.
pub(super) fn as_signed(bytes: &[u8]) -> &[i8] {
    // SAFETY: `i8` has the size and alignment of `u8` and any bit pattern is valid; the slice
    // borrows `bytes` and is as long.
    unsafe { std::slice::from_raw_parts(bytes.as_ptr().cast::<i8>(), bytes.len()) }
}

/// A way to compute dot products. Values come from [`Kernel::available`] only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kernel {
    #[cfg(target_arch = "x86_64")]
    Vnni,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "aarch64")]
    Neon,
    Portable,
}

impl Kernel {
    fn best() -> Kernel {
        Kernel::available().next().unwrap_or(Kernel::Portable)
    }

    /// What this processor can run, fastest first.
    fn available() -> impl Iterator<Item = Kernel> {
        let kernels = [
            #[cfg(target_arch = "x86_64")]
            (Kernel::Vnni, x86::has_vnni()),
            #[cfg(target_arch = "x86_64")]
            (Kernel::Avx2, is_x86_feature_detected!("avx2")),
            #[cfg(target_arch = "aarch64")]
            (Kernel::Neon, std::arch::is_aarch64_feature_detected!("neon")),
            (Kernel::Portable, true),
        ];
        kernels.into_iter().filter_map(|(kernel, available)| available.then_some(kernel))
    }
}

/// Runs a kernel over the selected rows. Inlined, so that it is compiled with the kernel's features.
#[inline(always)]
fn each_row(
    query: &Query,
    rows: &[i8],
    selected: &[u32],
    dots: &mut [i32],
    kernel: impl Fn(&Query, &[i8]) -> i32,
) {
    let dimension = query.dimension;
    for (at, (dot, &row)) in dots.iter_mut().zip(selected).enumerate() {
        if let Some(&ahead) = selected.get(at + PREFETCH_ROWS) {
            prefetch(rows, ahead as usize * dimension, dimension);
        }
        let start = row as usize * dimension;
        *dot = rows.get(start..start + dimension).map_or(0, |row| kernel(query, row));
    }
}

/// Asks for the memory of a row ahead of time.
#[inline(always)]
fn prefetch(rows: &[i8], start: usize, length: usize) {
    #[cfg(target_arch = "x86_64")]
    for line in (start..start + length).step_by(64) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch is a hint that reads nothing and never faults, whatever the address;
        // SSE is part of x86-64.
        unsafe { _mm_prefetch(rows.as_ptr().wrapping_add(line), _MM_HINT_T0) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (rows, start, length);
}

fn portable(query: &Query, row: &[i8]) -> i32 {
    row.iter().zip(&query.values).map(|(&row, &value)| i32::from(row) * i32::from(value)).sum()
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::{Query, each_row};

    pub(super) fn has_vnni() -> bool {
        is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vnni")
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
    pub(super) fn dots_vnni(query: &Query, rows: &[i8], selected: &[u32], dots: &mut [i32]) {
        each_row(query, rows, selected, dots, |query, row| vnni(query, row));
    }

    /// The instruction multiplies unsigned by signed bytes. Flipping the sign bit of the row adds 128
    /// to each of its values, so the sum is too large by 128 times the sum of the query.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
    pub(super) fn vnni(query: &Query, row: &[i8]) -> i32 {
        let flip = _mm512_set1_epi8(i8::MIN);
        let (chunks, rest) = row.as_chunks::<64>();
        let (values, _) = query.values.as_chunks::<64>();
        let mut sum = _mm512_setzero_si512();
        for (chunk, values) in chunks.iter().zip(values) {
            // SAFETY: both are 64 readable bytes; the loads need no alignment.
            let (row, values) = unsafe {
                (
                    _mm512_loadu_si512(chunk.as_ptr().cast()),
                    _mm512_loadu_si512(values.as_ptr().cast()),
                )
            };
            sum = _mm512_dpbusd_epi32(sum, _mm512_xor_si512(row, flip), values);
        }
        if let (false, Some(values)) = (rest.is_empty(), values.get(chunks.len())) {
            let mask = (1_u64 << rest.len()) - 1;
            // SAFETY: the mask lets only the bytes of `rest`, fewer than 64, be read; `values` are 64
            // readable bytes, zeros beyond the dimension.
            let (row, values) = unsafe {
                (
                    _mm512_maskz_loadu_epi8(mask, rest.as_ptr()),
                    _mm512_loadu_si512(values.as_ptr().cast()),
                )
            };
            sum = _mm512_dpbusd_epi32(sum, _mm512_xor_si512(row, flip), values);
        }
        _mm512_reduce_add_epi32(sum).wrapping_sub(query.bias)
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn dots_avx2(query: &Query, rows: &[i8], selected: &[u32], dots: &mut [i32]) {
        each_row(query, rows, selected, dots, |query, row| avx2(query, row));
    }

    /// The instruction multiplies unsigned by signed bytes and adds pairs in 16 bits: the row gives
    /// its magnitude and passes its sign to the query. 2 · 128 · 127 fits.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn avx2(query: &Query, row: &[i8]) -> i32 {
        let ones = _mm256_set1_epi16(1);
        let (chunks, rest) = row.as_chunks::<32>();
        let (values, _) = query.values.as_chunks::<32>();
        let mut sum = _mm256_setzero_si256();
        for (chunk, values) in chunks.iter().zip(values) {
            // SAFETY: both are 32 readable bytes; the loads need no alignment.
            let (row, values) = unsafe {
                (
                    _mm256_loadu_si256(chunk.as_ptr().cast()),
                    _mm256_loadu_si256(values.as_ptr().cast()),
                )
            };
            let pairs = _mm256_maddubs_epi16(_mm256_abs_epi8(row), _mm256_sign_epi8(values, row));
            sum = _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, ones));
        }
        let tail = rest.iter().zip(query.values.iter().skip(chunks.len() * 32));
        lanes(sum) + tail.map(|(&row, &value)| i32::from(row) * i32::from(value)).sum::<i32>()
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn lanes(sum: __m256i) -> i32 {
        let four = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256::<1>(sum));
        let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b01_00_11_10>(four));
        let one = _mm_add_epi32(two, _mm_shuffle_epi32::<0b10_11_00_01>(two));
        _mm_cvtsi128_si32(one)
    }
}

#[cfg(target_arch = "aarch64")]
mod arm {
    use std::arch::aarch64::*;

    use super::{Query, each_row};

    #[target_feature(enable = "neon")]
    pub(super) fn dots_neon(query: &Query, rows: &[i8], selected: &[u32], dots: &mut [i32]) {
        each_row(query, rows, selected, dots, |query, row| neon(query, row));
    }

    #[inline]
    #[target_feature(enable = "neon")]
    fn neon(query: &Query, row: &[i8]) -> i32 {
        let (chunks, rest) = row.as_chunks::<16>();
        let (values, _) = query.values.as_chunks::<16>();
        let mut sum = vdupq_n_s32(0);
        for (chunk, values) in chunks.iter().zip(values) {
            // SAFETY: both are 16 readable bytes; the loads need no alignment.
            let (row, values) = unsafe { (vld1q_s8(chunk.as_ptr()), vld1q_s8(values.as_ptr())) };
            sum = vpadalq_s16(sum, vmull_s8(vget_low_s8(row), vget_low_s8(values)));
            sum = vpadalq_s16(sum, vmull_high_s8(row, values));
        }
        let tail = rest.iter().zip(query.values.iter().skip(chunks.len() * 16));
        vaddvq_s32(sum) + tail.map(|(&row, &value)| i32::from(row) * i32::from(value)).sum::<i32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vectors::tests::Random;

    #[track_caller]
    fn check(vector: &[f32], rows: &[i8]) {
        let mut query = Query::new(vector);
        let selected: Vec<u32> = (0..(rows.len() / vector.len()) as u32).rev().collect();
        let expected: Vec<i32> =
            (rows.chunks_exact(vector.len()).rev()).map(|row| portable(&query, row)).collect();
        for kernel in Kernel::available() {
            query.kernel = kernel;
            let mut dots = vec![0; selected.len()];
            query.dots(rows, &selected, &mut dots);
            assert_eq!(dots, expected, "{kernel:?} at {} dimensions", vector.len());
        }
    }

    #[test]
    fn all_kernels_agree() {
        let mut random = Random::new(7);
        for dimension in 1..=600 {
            let rows: Vec<i8> = (0..dimension * 3).map(|_| random.next() as i8).collect();
            check(&random.vector(dimension), &rows);
        }
        for extreme in [i8::MIN, i8::MAX] {
            check(&vec![1.0; MAX_DIMENSION], &vec![extreme; MAX_DIMENSION]);
            check(&vec![-1.0; MAX_DIMENSION], &vec![extreme; MAX_DIMENSION]);
        }
    }

    #[test]
    fn cosines_are_those_of_the_floats() {
        let mut random = Random::new(11);
        let mut bytes = Vec::new();
        for _ in 0..200 {
            let (left, right) = (random.vector(256), random.vector(256));
            let exact: f32 = left.iter().zip(&right).map(|(left, right)| left * right).sum();
            let query = Query::new(&left);
            quantise(&right, &mut bytes);
            let row = as_signed(&bytes);
            let cosine = query.cosine(query.dot(row), inverse_norm(row));
            assert!((cosine - exact).abs() < 2e-3, "{cosine} for {exact}");
        }
    }

    #[test]
    fn quantising_fills_the_range_and_survives_anything() {
        #[track_caller]
        fn check(vector: &[f32], expected: &[i8]) {
            let mut bytes = vec![9; 3];
            quantise(vector, &mut bytes);
            assert_eq!(as_signed(&bytes), expected, "{vector:?}");
        }
        check(&[0.5, -1.0, 0.25, 0.0], &[64, -127, 32, 0]);
        check(&[1e-38, 0.0], &[127, 0]);
        check(&[0.0, 0.0], &[0, 0]);
        check(&[f32::NAN, 1.0], &[0, 127]);
        check(&[f32::INFINITY, 1.0], &[0, 0]);
        check(&[], &[]);
    }

    #[test]
    fn rows_of_another_length_are_harmless() {
        let query = Query::new(&[1.0; 100]);
        for length in [0, 1, 63, 99] {
            assert_eq!(query.dot(&vec![1; length]), 0);
        }
    }
}
