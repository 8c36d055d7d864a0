//! Dates, datetimes and times of day as nanoseconds.

use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

const NANOSECONDS_A_DAY: i128 = 86_400_000_000_000;

/// The last day of a month, the only one a leap second may be on.
const ANY_DAY: &str = "1970-12-31";

/// Nanoseconds from 1970 UTC to a date or datetime, as [`super::FieldType::DateTime`] describes it.
/// What is finer than a nanosecond is cut; a leap second is the nanosecond before it ends.
pub(super) fn date_time(text: &str) -> Option<i128> {
    let (date, rest) = text.split_at_checked(ANY_DAY.len())?;
    match rest.strip_prefix(['T', 't', ' ']) {
        Some(clock) => instant(date, clock),
        None if rest.is_empty() => instant(date, "00:00Z"),
        None => None,
    }
}

/// Nanoseconds from midnight to a time of day, as [`super::FieldType::Time`] describes it.
pub(super) fn time_of_day(text: &str) -> Option<i128> {
    Some(instant(ANY_DAY, text)?.rem_euclid(NANOSECONDS_A_DAY))
}

fn instant(date: &str, clock: &str) -> Option<i128> {
    let (minutes, rest) = clock.split_at_checked("00:00".len())?;
    let seconds = match rest.chars().next() {
        Some(':') => "",
        None | Some('Z' | 'z' | '+' | '-') => ":00",
        Some(_) => return None,
    };
    let offset = if rest.contains(['Z', 'z', '+', '-']) { "" } else { "Z" };
    let complete = format!("{date}T{minutes}{seconds}{rest}{offset}");
    Some(OffsetDateTime::parse(&complete, &Rfc3339).ok()?.unix_timestamp_nanos())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: i128 = 1_000_000_000;

    #[test]
    fn datetimes() {
        let check = |text: &str, expected: Option<i128>| {
            assert_eq!(date_time(text), expected, "{text:?}");
        };
        check("1970-01-02", Some(NANOSECONDS_A_DAY));
        check("1970-01-01T00:00:01Z", Some(SECOND));
        check("1970-01-01t00:00:01.5z", Some(SECOND * 3 / 2));
        check("1970-01-01 00:00:01", Some(SECOND));
        check("1970-01-01T00:01", Some(60 * SECOND));
        check("1970-01-01T01:00+01:00", Some(0));
        check("1969-12-31T23:59:59.999999999Z", Some(-1));
        check("1970-01-01T00:00:00.0000000019Z", Some(1));
        check("1972-06-30T23:59:60Z", Some(78_796_800 * SECOND - 1));
        check("0000-01-01T00:00:00+23:59", Some(-(62_167_219_200 + 86_340) * SECOND));
        check("9999-12-31T23:59:59-23:59", Some((253_402_300_799 + 86_340) * SECOND));
        check("9999-12-31T23:59:60-23:59", None);
        for text in [
            "",
            "1970",
            "1970-1-1",
            "1970-02-30",
            "19700101",
            "1970-01-01T",
            "1970-01-01x00:00:00Z",
            "1970-01-01é00:00:00Z",
            "1970-01-01T24:00:00Z",
            "1970-01-01T00:00:60Z",
            "1970-01-01T00:00.5Z",
            "1970-01-01T00:00:00.Z",
            "1970-01-01T00:00:00+24:00",
            "1970-01-01T00:00:00+0100",
            "1970-01-01Z",
            "1970-01-0１",
            " 1970-01-01",
            "1970-01-01 ",
            "10000-01-01",
            "-0001-01-01",
        ] {
            check(text, None);
        }
    }

    #[test]
    fn times_of_day() {
        let check = |text: &str, expected: Option<i128>| {
            assert_eq!(time_of_day(text), expected.map(|seconds| seconds * SECOND), "{text:?}");
        };
        check("00:00", Some(0));
        check("09:30", Some(34_200));
        check("09:30:01Z", Some(34_201));
        check("23:30-01:00", Some(1_800));
        check("00:30:00+01:00", Some(84_600));
        for text in ["", "9:30", "24:00", "09:30:", "09:30 Z", "09:60", "2024-06-01", "09:3é"] {
            check(text, None);
        }
        assert_eq!(time_of_day("23:59:60"), Some(NANOSECONDS_A_DAY - 1));
        assert_eq!(time_of_day("00:00:00.25"), Some(SECOND / 4));
    }
}
