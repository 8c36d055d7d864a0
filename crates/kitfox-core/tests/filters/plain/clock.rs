//! Dates and times by counting days.

const SECOND: i128 = 1_000_000_000;
const DAY: i128 = 86_400 * SECOND;

/// Nanoseconds since 1970 of a date, or of a date with a clock time.
pub fn date_time(text: &str) -> Option<i128> {
    let day = days(text.get(..10)?)? * DAY;
    let mut rest = text.get(10..)?.chars();
    match rest.next() {
        None => Some(day),
        Some('T' | 't' | ' ') => {
            let clock = clock(rest.as_str())?;
            let instant = day + clock.nanoseconds;
            (!clock.is_leap || is_last_of_month(instant)).then_some(instant)
        }
        Some(_) => None,
    }
}

/// Nanoseconds since midnight, in UTC where the text has an offset.
pub fn time_of_day(text: &str) -> Option<i128> {
    let clock = clock(text)?;
    let within_day = clock.nanoseconds.rem_euclid(DAY);
    let is_last = clock.nanoseconds == DAY - 1;
    (!clock.is_leap || is_last).then_some(within_day)
}

/// Days from 1970-01-01 to `YYYY-MM-DD`.
fn days(date: &str) -> Option<i128> {
    let [year, month, day] = date.split('-').collect::<Vec<_>>().try_into().ok()?;
    let (year, month, day) = (digits(year, 4)?, digits(month, 2)?, digits(day, 2)?);
    let is_date = (1..=12).contains(&month) && (1..=days_in(year, month)).contains(&day);
    is_date.then(|| days_before_year(year) + days_before_month(year, month) + day - 1)
}

fn days_before_year(year: i128) -> i128 {
    let leap_days =
        |years: i128| years.div_euclid(4) - years.div_euclid(100) + years.div_euclid(400);
    (year - 1970) * 365 + leap_days(year - 1) - leap_days(1969)
}

fn days_before_month(year: i128, month: i128) -> i128 {
    (1..month).map(|month| days_in(year, month)).sum()
}

fn days_in(year: i128, month: i128) -> i128 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Whether this is the last nanosecond of a month.
fn is_last_of_month(instant: i128) -> bool {
    let next = instant + 1;
    let year = 1970 + next.div_euclid(DAY * 365);
    let firsts = (year - 10..=year + 1).flat_map(|year| {
        (1..=12).map(move |m| days_before_year(year) + days_before_month(year, m))
    });
    next % DAY == 0 && firsts.into_iter().any(|first| first * DAY == next)
}

struct Clock {
    /// From midnight of the day in UTC, below 0 and above a day where the offset leads there.
    nanoseconds: i128,
    is_leap: bool,
}

/// `HH:MM[:SS[.fraction]][offset]`.
fn clock(text: &str) -> Option<Clock> {
    let end = text.find(['Z', 'z', '+', '-']).unwrap_or(text.len());
    let (time, offset) = text.split_at(end);
    let (minutes, rest) = minutes(time)?;
    let (seconds, fraction) = match rest.strip_prefix(':') {
        None if rest.is_empty() => (0, 0),
        None => return None,
        Some(seconds) => match seconds.split_once('.') {
            Some((seconds, fraction)) => (digits(seconds, 2)?, nanoseconds(fraction)?),
            None => (digits(seconds, 2)?, 0),
        },
    };
    let offset = match offset.split_at_checked(1) {
        None | Some(("Z" | "z", "")) => 0,
        Some(("+", offset)) => offset_minutes(offset)?,
        Some(("-", offset)) => -offset_minutes(offset)?,
        Some(_) => return None,
    };
    let of_minute = match seconds {
        0..60 => seconds * SECOND + fraction,
        60 => 60 * SECOND - 1,
        _ => return None,
    };
    let nanoseconds = (minutes - offset) * 60 * SECOND + of_minute;
    Some(Clock { nanoseconds, is_leap: seconds == 60 })
}

/// The minutes of `HH:MM`, and what comes after.
fn minutes(text: &str) -> Option<(i128, &str)> {
    let (hours, rest) = text.split_once(':')?;
    let (minutes, rest) = rest.split_at_checked(2)?;
    let (hours, minutes) = (digits(hours, 2)?, digits(minutes, 2)?);
    (hours < 24 && minutes < 60).then_some((hours * 60 + minutes, rest))
}

fn offset_minutes(text: &str) -> Option<i128> {
    minutes(text).filter(|(_, rest)| rest.is_empty()).map(|(minutes, _)| minutes)
}

fn nanoseconds(fraction: &str) -> Option<i128> {
    let first: String = fraction.chars().chain("000000000".chars()).take(9).collect();
    let is_number = !fraction.is_empty() && fraction.chars().all(|c| c.is_ascii_digit());
    is_number.then(|| first.parse().ok()).flatten()
}

fn digits(text: &str, length: usize) -> Option<i128> {
    let is_number = text.len() == length && text.chars().all(|c| c.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten()
}
