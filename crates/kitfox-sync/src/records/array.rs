//! JSON: an array of records, or an object with one array, which holds them. The elements are cut
//! out by their brackets and quotes alone, so that one that is no JSON does not hide the others.

use std::io::BufRead;

use super::At;
use super::format::{Content, MAX_ROW_BYTES, Row, Rows, Unread};

pub(super) struct Elements {
    file: Box<dyn BufRead + Send>,
    number: u64,
    outside: Outside,
    is_over: bool,
}

/// What the array of records stands in.
enum Outside {
    Nothing,
    /// An object; whether its array has been met.
    Object {
        has_array: bool,
    },
}

impl Elements {
    pub fn new(file: Box<dyn BufRead + Send>) -> Result<Elements, Unread> {
        let mut elements = Elements { file, number: 0, outside: Outside::Nothing, is_over: false };
        match elements.peek()? {
            Some(b'[') => elements.skip(),
            Some(b'{') => {
                elements.skip();
                elements.outside = Outside::Object { has_array: false };
                elements.find_array()?;
            }
            _ => return Err(malformed("it begins with neither `[` nor `{`")),
        }
        Ok(elements)
    }

    /// Goes on to the array in an object, or to the end of it.
    fn find_array(&mut self) -> Result<(), Unread> {
        loop {
            match self.peek()? {
                Some(b'}') => return self.close_object(),
                Some(b',') => self.skip(),
                Some(b'"') => {
                    self.take_value(None)?;
                    self.expect(b':')?;
                    if self.peek()? == Some(b'[') {
                        return self.enter_array();
                    }
                    self.take_value(None)?;
                }
                Some(_) => return Err(malformed("a member of the object has no name")),
                None => return Err(cut_off()),
            }
        }
    }

    fn enter_array(&mut self) -> Result<(), Unread> {
        if let Outside::Object { has_array: true } = self.outside {
            return Err(malformed("the object has several arrays; only one may hold records"));
        }
        self.outside = Outside::Object { has_array: true };
        self.skip();
        Ok(())
    }

    fn close_object(&mut self) -> Result<(), Unread> {
        if let Outside::Object { has_array: false } = self.outside {
            return Err(malformed(
                "the object has no array of records; for one object a line, say format = \"jsonl\"",
            ));
        }
        self.skip();
        self.end()
    }

    /// Nothing but white space may follow.
    fn end(&mut self) -> Result<(), Unread> {
        self.is_over = true;
        match self.peek()? {
            None => Ok(()),
            Some(_) => Err(malformed("something follows its end")),
        }
    }

    /// Takes what stands up to the next comma or closing bracket that is not inside of it, and
    /// keeps it, up to [`MAX_ROW_BYTES`], where there is a place for it.
    fn take_value(&mut self, mut kept: Option<&mut Vec<u8>>) -> Result<(), Unread> {
        let mut cut = Cut::default();
        loop {
            let buffer = self.file.fill_buf()?;
            if buffer.is_empty() {
                return Err(cut_off());
            }
            let end = buffer.iter().position(|&byte| cut.ends_before(byte));
            let length = end.unwrap_or(buffer.len());
            if let Some(kept) = kept.as_deref_mut()
                && kept.len() <= MAX_ROW_BYTES
            {
                kept.extend(&buffer[..length]);
            }
            self.file.consume(length);
            if end.is_some() {
                return Ok(());
            }
        }
    }

    fn expect(&mut self, byte: u8) -> Result<(), Unread> {
        match self.peek()? {
            Some(found) if found == byte => {
                self.skip();
                Ok(())
            }
            Some(_) => Err(malformed(&format!("`{}` is missing", char::from(byte)))),
            None => Err(cut_off()),
        }
    }

    /// The next byte that is no white space.
    fn peek(&mut self) -> Result<Option<u8>, Unread> {
        loop {
            let buffer = self.file.fill_buf()?;
            let blank = buffer.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            match (buffer.get(blank).copied(), blank) {
                (Some(byte), _) => {
                    self.file.consume(blank);
                    return Ok(Some(byte));
                }
                (None, 0) => return Ok(None),
                (None, _) => self.file.consume(blank),
            }
        }
    }

    fn skip(&mut self) {
        self.file.consume(1);
    }
}

impl Rows for Elements {
    fn next(&mut self) -> Result<Option<Row>, Unread> {
        while !self.is_over {
            match self.peek()? {
                Some(b']') => {
                    self.skip();
                    match self.outside {
                        Outside::Nothing => self.end()?,
                        Outside::Object { .. } => self.find_array()?,
                    }
                }
                Some(b',') => self.skip(),
                Some(b':' | b'}') => return Err(malformed("the array has no end")),
                Some(_) => {
                    let mut bytes = Vec::new();
                    self.take_value(Some(&mut bytes))?;
                    self.number += 1;
                    let content = match bytes.len() > MAX_ROW_BYTES {
                        true => Content::TooLong,
                        false => Content::Json(bytes),
                    };
                    return Ok(Some(Row { number: self.number, content }));
                }
                None => return Err(cut_off()),
            }
        }
        Ok(None)
    }

    fn place(&self) -> fn(u64) -> At {
        At::Record
    }
}

/// Where in a value we are.
#[derive(Default)]
struct Cut {
    depth: usize,
    is_text: bool,
    is_escaped: bool,
}

impl Cut {
    /// Whether the value ends before this byte; a colon ends the name of a member.
    fn ends_before(&mut self, byte: u8) -> bool {
        if self.is_text {
            match (self.is_escaped, byte) {
                (true, _) => self.is_escaped = false,
                (false, b'\\') => self.is_escaped = true,
                (false, b'"') => self.is_text = false,
                _ => {}
            }
            return false;
        }
        match byte {
            b'"' => self.is_text = true,
            b'[' | b'{' => self.depth += 1,
            b']' | b'}' | b',' | b':' if self.depth == 0 => return true,
            b']' | b'}' => self.depth -= 1,
            _ => {}
        }
        false
    }
}

fn malformed(what: &str) -> Unread {
    Unread::Malformed(format!("it is not JSON with an array of records: {what}"))
}

fn cut_off() -> Unread {
    malformed("it ends too early")
}
