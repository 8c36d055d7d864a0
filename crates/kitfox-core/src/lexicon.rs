//! Languages, and words that are kept apart from others.

use frostem::Algorithm;

/// How words are stemmed; English unless something else is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Language(Option<Algorithm>);

/// The stemmers of languages, by the first part of their locales.
const STEMMERS: &[(&str, Algorithm)] = &[
    ("ar", Algorithm::Arabic),
    ("ca", Algorithm::Catalan),
    ("cs", Algorithm::Czech),
    ("da", Algorithm::Danish),
    ("de", Algorithm::German),
    ("el", Algorithm::Greek),
    ("en", Algorithm::English),
    ("eo", Algorithm::Esperanto),
    ("es", Algorithm::Spanish),
    ("et", Algorithm::Estonian),
    ("eu", Algorithm::Basque),
    ("fa", Algorithm::Persian),
    ("fi", Algorithm::Finnish),
    ("fr", Algorithm::French),
    ("ga", Algorithm::Irish),
    ("hi", Algorithm::Hindi),
    ("hu", Algorithm::Hungarian),
    ("hy", Algorithm::Armenian),
    ("id", Algorithm::Indonesian),
    ("it", Algorithm::Italian),
    ("lt", Algorithm::Lithuanian),
    ("nb", Algorithm::Norwegian),
    ("ne", Algorithm::Nepali),
    ("nl", Algorithm::Dutch),
    ("nn", Algorithm::Norwegian),
    ("no", Algorithm::Norwegian),
    ("pl", Algorithm::Polish),
    ("pt", Algorithm::Portuguese),
    ("ro", Algorithm::Romanian),
    ("ru", Algorithm::Russian),
    ("sr", Algorithm::Serbian),
    ("st", Algorithm::Sesotho),
    ("sv", Algorithm::Swedish),
    ("ta", Algorithm::Tamil),
    ("tr", Algorithm::Turkish),
    ("uk", Algorithm::Ukrainian),
    ("yi", Algorithm::Yiddish),
];

impl Language {
    /// English.
    pub(crate) const ENGLISH: Language = Language(Some(Algorithm::English));

    /// The language of a locale such as `fr` or `pt-BR`; the words of one without a stemmer are found
    /// as they are.
    pub fn of(locale: &str) -> Language {
        let language = locale.split(['-', '_']).next().unwrap_or_default();
        let is_it = |(name, _): &&(&str, Algorithm)| name.eq_ignore_ascii_case(language);
        Language(STEMMERS.iter().find(is_it).map(|(_, stemmer)| *stemmer))
    }

    pub(crate) fn stemmer(self) -> Option<Algorithm> {
        self.0
    }
}

impl Default for Language {
    fn default() -> Language {
        Language::ENGLISH
    }
}

/// Words that are not those of other lexicons, even where they are written alike: a query finds them
/// where it asks for theirs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Lexicon {
    /// How they are stemmed.
    pub language: Language,
    /// The locale they are of; empty where they are of none, or of all.
    pub locale: String,
}

impl Lexicon {
    /// The words of texts in a locale.
    pub fn of(locale: &str) -> Lexicon {
        Lexicon { language: Language::of(locale), locale: locale.to_owned() }
    }

    /// What the terms of this lexicon begin with: no word, and no beginning of one, has a control
    /// character.
    pub(crate) fn mark(&self) -> String {
        match self.locale.as_str() {
            "" => String::new(),
            locale => format!("\u{1f}{locale}\u{1f}"),
        }
    }
}
