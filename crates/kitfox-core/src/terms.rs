//! Words to index terms. The same functions serve documents and queries, and every engine, which is
//! what makes every query readable to the index.

use std::borrow::Cow;

use frostem::Stemmer;

use crate::{Lexicon, Text, Word, fold, is_stop_word};

/// Longer words are noise (encoded data), and storage libraries drop terms of 64 KiB; a word is cut
/// here.
const MAX_WORD_BYTES: usize = 255;

/// Reads the words of texts of one lexicon. Cheap to make, and made once for many words.
pub struct Analyser {
    stemmer: Option<Stemmer>,
    mark: String,
}

impl Default for Analyser {
    fn default() -> Analyser {
        Analyser::of(&Lexicon::default())
    }
}

impl Analyser {
    /// Reads words as those of a lexicon.
    pub fn of(lexicon: &Lexicon) -> Analyser {
        let stemmer = lexicon.language.stemmer().map(Stemmer::new);
        Analyser { stemmer, mark: lexicon.mark() }
    }

    /// The exact term of a word in its exact form.
    pub fn exact<'a>(&self, exact: &'a str) -> Cow<'a, str> {
        self.marked(Cow::Borrowed(exact))
    }

    /// The word of an exact term; none if it is of another lexicon.
    pub fn word<'a>(&self, exact: &'a str) -> Option<&'a str> {
        exact.strip_prefix(&self.mark)
    }

    /// The stem of a word in its exact form, as a term: what words that differ by an ending have in
    /// common.
    pub fn stem<'a>(&self, exact: &'a str) -> Cow<'a, str> {
        let stem = self.stemmer.as_ref().map(|stemmer| stemmer.stem(exact));
        self.marked(stem.unwrap_or(Cow::Borrowed(exact)))
    }

    fn marked<'a>(&self, word: Cow<'a, str>) -> Cow<'a, str> {
        match self.mark.as_str() {
            "" => word,
            mark => Cow::Owned(format!("{mark}{word}")),
        }
    }

    /// The scoring terms of one word, whose exact form is `exact`: the stem of the word as a whole
    /// and, where it is not all one part, of each part.
    pub fn terms(&self, text: &Text, word: &Word, exact: &str, mut each: impl FnMut(&str)) {
        each(&self.stem(exact));
        if text.parts(word).next() != Some(text.word(word)) {
            text.parts(word).for_each(|part| each(&self.stem(&exact_word(part))));
        }
    }

    /// The scoring term of a text that is one word: its stem.
    pub fn stem_of(&self, word: &str) -> Option<String> {
        let text = Text::new(word);
        match text.words() {
            [word] => Some(self.stem(&exact_word(text.word(word))).into_owned()),
            _ => None,
        }
    }

    /// The distinct terms an any-word query looks for, in order. Stop words count only where there is
    /// nothing else; they stay in the index, since phrases need them.
    pub fn query_terms(&self, query: &str) -> Vec<String> {
        let text = Text::new(query);
        let (mut meaningful, mut stop) = (Vec::new(), Vec::new());
        for word in text.words() {
            let exact = exact_word(text.word(word));
            let into = if is_stop_word(&exact) { &mut stop } else { &mut meaningful };
            self.terms(&text, word, &exact, |term| into.push(term.to_owned()));
        }
        let mut terms = if meaningful.is_empty() { stop } else { meaningful };
        terms.sort();
        terms.dedup();
        terms
    }
}

/// The form in which a single exact word is indexed and looked for.
pub fn exact_word(word: &str) -> String {
    let mut word = fold(word);
    word.truncate(word.floor_char_boundary(MAX_WORD_BYTES));
    word
}

/// How many letters of a word may be wrong for it to be read as another: none of a short one, or of
/// one with a digit in it, which is no word of a language.
pub fn misspelled_letters(word: &str) -> u8 {
    match word.chars().count() {
        _ if word.contains(|c: char| c.is_ascii_digit()) => 0,
        ..5 => 0,
        5..9 => 1,
        _ => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Lexicon;

    #[track_caller]
    fn check(query: &str, expected: &[&str]) {
        assert_eq!(Analyser::default().query_terms(query), expected, "terms of {query:?}");
    }

    #[test]
    fn queries_become_stems_and_parts() {
        check("how are the routes registered", &["regist", "rout"]);
        check("getUserName", &["get", "getusernam", "name", "user"]);
        check("C++ or C#", &["c", "c#", "c++"]);
        check("to be or", &["be", "or", "to"]);
        check("!?", &[]);
    }
    #[test]
    fn words_of_a_locale_are_stemmed_as_its_language_and_kept_apart() {
        let stem = |locale: &str, word: &str| {
            Analyser::of(&Lexicon::of(locale)).stem_of(word).unwrap().replace('\u{1f}', ":")
        };
        assert_eq!(stem("fr", "chercheurs"), ":fr:chercheur");
        assert_eq!(stem("pt-BR", "Correndo"), ":pt-BR:corr");
        assert_eq!(stem("DE", "Häuser"), ":DE:haus");
        assert_eq!(stem("ja", "sushis"), ":ja:sushis");
        assert_eq!(stem("", "houses"), "houses");
        let french = Analyser::of(&Lexicon::of("fr"));
        assert_eq!(french.word(&french.exact("mot")), Some("mot"));
        assert_eq!(french.word("mot"), None);
    }
}
