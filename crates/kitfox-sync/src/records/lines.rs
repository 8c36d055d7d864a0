//! JSON Lines: a record a line.

use std::io::{BufRead, Read as _};

use super::At;
use super::format::{Content, MAX_ROW_BYTES, Row, Rows, Unread};

pub(super) struct Lines {
    file: Box<dyn BufRead + Send>,
    number: u64,
}

impl Lines {
    pub fn new(file: Box<dyn BufRead + Send>) -> Lines {
        Lines { file, number: 0 }
    }

    fn skip_line(&mut self) -> Result<(), Unread> {
        loop {
            let buffer = self.file.fill_buf()?;
            let end = buffer.iter().position(|&byte| byte == b'\n');
            let length = end.map_or(buffer.len(), |end| end + 1);
            self.file.consume(length);
            if end.is_some() || length == 0 {
                return Ok(());
            }
        }
    }
}

impl Rows for Lines {
    fn next(&mut self) -> Result<Option<Row>, Unread> {
        loop {
            let mut line = Vec::new();
            self.file.by_ref().take(MAX_ROW_BYTES as u64).read_until(b'\n', &mut line)?;
            if line.is_empty() {
                return Ok(None);
            }
            self.number += 1;
            if line.len() == MAX_ROW_BYTES && line.last() != Some(&b'\n') {
                self.skip_line()?;
                return Ok(Some(Row { number: self.number, content: Content::TooLong }));
            }
            if !line.trim_ascii().is_empty() {
                return Ok(Some(Row { number: self.number, content: Content::Json(line) }));
            }
        }
    }

    fn place(&self) -> fn(u64) -> At {
        At::Line
    }
}
