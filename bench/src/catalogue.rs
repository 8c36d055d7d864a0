//! A catalogue of products that nobody sells: records of the size and spread of real ones.
//!
//! Words are made of syllables and drawn by Zipf's law from 60,000, so that posting lists have the
//! lengths they have in prose. A record has about 750 bytes as JSON: a key, a name of 2 to 5 words, a
//! description of 20 to 120, a category (24), a brand (800, by Zipf's law), a country (30), 0 to 5 of
//! 300 tags, a price, a rating, a stock, a day and a flag.

use std::fmt::Write as _;

use fastrand::Rng;

/// Different words.
const WORDS: usize = 60_000;
/// Seconds of the eight years in which the records were made.
const DAYS: u64 = 8 * 365;

/// Makes records and questions about them, the same for the same seed.
pub struct Catalogue {
    random: Rng,
    words: Vec<String>,
    /// For each word, the sum of the frequencies up to it.
    sums: Vec<f64>,
}

impl Catalogue {
    /// A catalogue of a seed.
    pub fn new(seed: u64) -> Catalogue {
        let mut random = Rng::with_seed(seed);
        let words = (0..WORDS).map(|_| word(&mut random)).collect();
        let mut sum = 0.0;
        let add = |rank| {
            sum += 1.0 / (rank as f64 + 2.7);
            sum
        };
        let sums = (0..WORDS).map(add).collect();
        Catalogue { random, words, sums }
    }

    /// A word as often as it is used.
    fn word(&mut self) -> &str {
        let sum = self.sums.last().copied().unwrap_or_default() * self.random.f64();
        let at = self.sums.partition_point(|each| *each < sum);
        &self.words[at.min(WORDS - 1)]
    }

    fn text(&mut self, words: usize) -> String {
        let mut text = String::new();
        for number in 0..words {
            if number > 0 {
                text.push(' ');
            }
            text.push_str(self.word());
        }
        text
    }

    /// The next record as JSON.
    pub fn record(&mut self, number: usize) -> String {
        let (of_name, of_text) = (self.random.usize(2..=5), self.random.usize(20..=120));
        let (name, description) = (self.text(of_name), self.text(of_text));
        let brand = (800f64.powf(self.random.f64()) - 1.0) as usize;
        let tags: Vec<String> = (0..self.random.usize(0..=5))
            .map(|_| format!("\"tag-{}\"", self.random.u16(..300)))
            .collect();
        let mut record = String::new();
        // Writing to a string cannot fail.
        let _ = write!(
            record,
            "{{\"id\":\"P{number:07}\",\"name\":\"{name}\",\"description\":\"{description}\",\
             \"category\":\"{}\",\"brand\":\"brand-{brand}\",\"country\":\"{}\",\"tags\":[{}],\
             \"price\":{:.2},\"rating\":{},\"stock\":{},\"added\":\"{}\",\"sold\":{}}}",
            self.category(),
            self.country(),
            tags.join(","),
            self.random.f64() * 500.0,
            self.random.u8(1..=5),
            self.random.u16(..1_000),
            self.day(),
            self.random.bool(),
        );
        record
    }

    /// One of the categories.
    pub fn category(&mut self) -> String {
        format!("category-{}", self.random.u8(..24))
    }

    fn country(&mut self) -> String {
        format!("country-{}", self.random.u8(..30))
    }

    /// A day of the years in which records were made.
    pub fn day(&mut self) -> String {
        let day = self.random.u64(..DAYS);
        format!("{}-{:02}-{:02}", 2016 + day / 365, 1 + day % 365 / 31, 1 + day % 28)
    }

    /// A price from which a range may begin.
    pub fn price(&mut self) -> f64 {
        (self.random.f64() * 400.0).round()
    }

    /// A question of 2 to 5 words that are not the most frequent.
    pub fn question(&mut self) -> Vec<String> {
        let count = self.random.usize(2..=5);
        let mut words = Vec::new();
        while words.len() < count {
            let word = self.word().to_owned();
            if !self.words[..50].contains(&word) {
                words.push(word);
            }
        }
        words
    }
}

/// A word of 2 to 4 syllables.
fn word(random: &mut Rng) -> String {
    const ONSETS: &[&str] = &[
        "b", "br", "c", "d", "f", "g", "gr", "h", "l", "m", "n", "p", "r", "s", "st", "t", "tr",
        "v",
    ];
    const VOWELS: &[&str] = &["a", "e", "i", "o", "u", "ai", "ea", "ou"];
    const CODAS: &[&str] = &["", "", "n", "r", "l", "s", "t", "m"];
    let mut word = String::new();
    for _ in 0..random.usize(2..=4) {
        for parts in [ONSETS, VOWELS, CODAS] {
            word.push_str(parts[random.usize(..parts.len())]);
        }
    }
    word
}

#[cfg(test)]
mod tests {
    use super::Catalogue;

    #[test]
    fn a_seed_makes_the_same_records() {
        let records = |seed| -> Vec<String> {
            let mut catalogue = Catalogue::new(seed);
            (0..3).map(|number| catalogue.record(number)).collect()
        };
        assert_eq!(records(1), records(1));
        assert_ne!(records(1), records(2));
    }
}
