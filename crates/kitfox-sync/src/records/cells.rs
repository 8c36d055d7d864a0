//! CSV and TSV: a header, then a record a row.

use std::io::BufRead;

use super::At;
use super::format::{Content, Row, Rows, Unread};

pub(super) struct Cells {
    reader: csv::Reader<Box<dyn BufRead + Send>>,
    header: Vec<String>,
}

impl Cells {
    pub fn new(file: Box<dyn BufRead + Send>, delimiter: u8) -> Result<Cells, Unread> {
        let mut reader =
            csv::ReaderBuilder::new().delimiter(delimiter).flexible(true).from_reader(file);
        let header = names(reader.byte_headers().map_err(unread)?);
        Ok(Cells { reader, header })
    }
}

impl Rows for Cells {
    fn next(&mut self) -> Result<Option<Row>, Unread> {
        let mut cells = csv::ByteRecord::new();
        if !self.reader.read_byte_record(&mut cells).map_err(unread)? {
            return Ok(None);
        }
        let number = cells.position().map_or(0, csv::Position::line);
        Ok(Some(Row { number, content: Content::Cells(cells) }))
    }

    fn header(&self) -> &[String] {
        &self.header
    }

    fn place(&self) -> fn(u64) -> At {
        At::Line
    }
}

/// The names of the columns, each once; one that has none is called by its number.
fn names(header: &csv::ByteRecord) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (cell, number) in header.iter().zip(1..) {
        let cell = String::from_utf8_lossy(cell).trim().to_owned();
        let mut name = if cell.is_empty() { format!("column_{number}") } else { cell };
        while names.contains(&name) {
            name.push_str("_2");
        }
        names.push(name);
    }
    names
}

fn unread(error: csv::Error) -> Unread {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => Unread::Io(error),
        other => Unread::Malformed(format!("{other:?}")),
    }
}
