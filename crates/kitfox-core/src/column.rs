//! Columns: the parts of a document in which exact words are looked for.

/// A part of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// The passage itself.
    Text,
    /// The breadcrumb of headings or the symbol path.
    Section,
    /// The title of the file.
    Title,
    /// The path of the file.
    Path,
}

impl Column {
    /// All of them, in the order in which they are named.
    pub const ALL: [Column; 4] = [Column::Text, Column::Section, Column::Title, Column::Path];

    /// What it is called in queries.
    pub fn name(self) -> &'static str {
        match self {
            Column::Text => "text",
            Column::Section => "section",
            Column::Title => "title",
            Column::Path => "path",
        }
    }

    /// The column called `name`, in any case.
    pub fn named(name: &str) -> Option<Column> {
        Column::ALL.into_iter().find(|column| column.name().eq_ignore_ascii_case(name))
    }
}

/// A set of columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Columns(u8);

impl Columns {
    /// Every column.
    pub const ALL: Columns = Columns((1 << Column::ALL.len()) - 1);

    /// Where a word without a column is looked for.
    pub const BARE: Columns = Columns(1 << Column::Text as u8 | 1 << Column::Section as u8);

    /// Whether a column is among them.
    pub fn contains(self, column: Column) -> bool {
        self.0 & (1 << column as u8) != 0
    }

    /// Each of them, in the order in which they are named.
    pub fn iter(self) -> impl Iterator<Item = Column> {
        Column::ALL.into_iter().filter(move |&column| self.contains(column))
    }

    /// Those that are in both sets.
    pub fn and(self, other: Columns) -> Columns {
        Columns(self.0 & other.0)
    }

    /// Those that are not among these.
    pub fn others(self) -> Columns {
        Columns(Columns::ALL.0 & !self.0)
    }
}

impl FromIterator<Column> for Columns {
    fn from_iter<I: IntoIterator<Item = Column>>(columns: I) -> Columns {
        Columns(columns.into_iter().fold(0, |set, column| set | 1 << column as u8))
    }
}
