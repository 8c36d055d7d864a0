//! Records at scale: importing, searching, paging and counting, in one run with SQLite.
//!
//!     records-against-sqlite [RECORDS]
//!
//! See `bench/README.md`.

use std::fs;
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::sync::Arc;

use anyhow::Result;
use kitfox_bench::catalogue::Catalogue;
use kitfox_bench::memory::with_peak;
use kitfox_bench::times::{Times, milliseconds, ratio, timed};
use kitfox_core::{Progress, Text};
use kitfox_embed::Embedder;
use kitfox_embedded::EmbeddedEngine;
use kitfox_extract::Sizes;
use kitfox_faces::{Faces, Kind, QueryRecords, RecordsRequest, SearchRecords, Settings};
use kitfox_sync::{
    CollectionConfig, RefreshOptions, Selection, Source, SourceFiles, SourceKind, refresh,
};
use rusqlite::Connection;
use serde_json::{Value, json};

const SEED: u64 = 7;
const QUESTIONS: usize = 200;

fn main() -> Result<()> {
    let count = std::env::args().nth(1).map_or(Ok(1_000_000), |count| count.parse())?;
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("products.jsonl");
    let bytes = write_records(&file, count)?;
    println!("{count} records, {:.0} MB of JSON Lines, seed {SEED}\n", bytes as f64 / 1e6);

    let source = source(&file);
    let mean = kitfox_embed::built_in();
    let without = import(&source, &folder.path().join("without"), &Words(mean.clone()))?;
    let with = || imported(&source, &folder.path().join("with"), mean.as_ref());
    let (imported, peak) = with_peak(with)?;
    let (engine, with) = imported?;
    let speed = |seconds: f64| {
        format!("{:.1} MB/s, {:.0} records/s", bytes as f64 / 1e6 / seconds, count as f64 / seconds)
    };
    println!("import without vectors: {:.1} s, {}", without, speed(without));
    println!("import with vectors:    {:.1} s, {} ({:.2}×)", with, speed(with), without / with);
    println!("anonymous memory: {peak} MB at most during the second import\n");

    let faces = faces(&source, engine, mean);
    let (sqlite, loading) = timed(|| sqlite(&folder.path().join("sqlite.db"), &file));
    let sqlite = sqlite?;
    println!(
        "SQLite: JSON1 table, FTS5 and expression indexes in {:.1} s\n",
        loading.as_secs_f64()
    );
    println!(
        "| | SQLite p50 | p99 | kitfox p50 | p99 | ratio p50 | p99 |\n|---|---|---|---|---|---|---|"
    );
    compare("ranked search, `in` and range", |catalogue| searches(&faces, &sqlite, catalogue))?;
    compare("filtered page of 50, sorted, total", |catalogue| pages(&faces, &sqlite, catalogue))?;
    compare("facets of 3 fields", |_| counts(&faces, &sqlite))?;
    Ok(())
}

fn write_records(file: &Path, count: usize) -> Result<u64> {
    let mut catalogue = Catalogue::new(SEED);
    let mut out = BufWriter::new(fs::File::create(file)?);
    for number in 0..count {
        writeln!(out, "{}", catalogue.record(number))?;
    }
    out.flush()?;
    Ok(fs::metadata(file)?.len())
}

fn source(file: &Path) -> Source {
    Source {
        name: "products".to_owned(),
        kind: SourceKind::Records,
        root: file.to_owned(),
        selection: Selection::Everything,
        sizes: Sizes::DOCS,
        collection: Arc::new(CollectionConfig::default()),
    }
}

/// Reads nothing: what an import costs without vectors.
struct Words(Arc<dyn Embedder>);

impl Embedder for Words {
    fn dimension(&self) -> usize {
        self.0.dimension()
    }

    fn fingerprint(&self) -> &str {
        "none"
    }

    fn floor(&self) -> f32 {
        1.0
    }

    fn embed(&self, _: &[&Text]) -> Option<Vec<f32>> {
        None
    }
}

/// Seconds of an import.
fn import(source: &Source, index: &Path, embedder: &dyn Embedder) -> Result<f64> {
    Ok(imported(source, index, embedder)?.1)
}

fn imported(
    source: &Source,
    index: &Path,
    embedder: &dyn Embedder,
) -> Result<(Arc<EmbeddedEngine>, f64)> {
    fs::create_dir_all(index)?;
    let engine = EmbeddedEngine::open(index, embedder.dimension())?;
    let (options, progress) = (RefreshOptions::default(), Progress::default());
    let (done, time) = timed(|| refresh(source, &engine, embedder, &options, &progress));
    done?;
    Ok((Arc::new(engine), time.as_secs_f64()))
}

fn faces(source: &Source, engine: Arc<EmbeddedEngine>, embedder: Arc<dyn Embedder>) -> Faces {
    let face = kitfox_faces::Source {
        name: source.name.clone(),
        kind: Kind::Records,
        engine,
        files: Arc::new(SourceFiles::new(source)),
        writer: None,
        progress: Arc::default(),
        language_of: |_| "jsonl",
    };
    Faces::new(vec![face], embedder, Settings::default())
}

fn sqlite(database: &Path, records: &Path) -> Result<Connection> {
    let mut connection = Connection::open(database)?;
    connection.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -2000000;
         PRAGMA mmap_size = 8000000000;
         CREATE TABLE records (id TEXT PRIMARY KEY, data TEXT);
         CREATE VIRTUAL TABLE words USING fts5 (name, description, content='', tokenize='porter');",
    )?;
    let transaction = connection.transaction()?;
    {
        let mut record = transaction.prepare("INSERT INTO records VALUES (?1, ?2)")?;
        let mut words = transaction
            .prepare("INSERT INTO words (rowid, name, description) VALUES (?1, ?2, ?3)")?;
        for (line, number) in fs::read_to_string(records)?.lines().zip(1..) {
            let data: Value = serde_json::from_str(line)?;
            record.execute((data["id"].as_str(), line))?;
            words.execute((number, data["name"].as_str(), data["description"].as_str()))?;
        }
    }
    transaction.commit()?;
    for field in ["category", "country", "rating", "price", "added"] {
        let index = format!("CREATE INDEX by_{field} ON records (json_extract(data, '$.{field}'))");
        connection.execute_batch(&index)?;
    }
    connection.execute_batch("INSERT INTO words (words) VALUES ('optimize'); ANALYZE;")?;
    Ok(connection)
}

/// Times one kind of question, both answering each in turn.
fn compare(
    what: &str,
    mut ask: impl FnMut(&mut Catalogue) -> Result<[std::time::Duration; 2]>,
) -> Result<()> {
    let mut catalogue = Catalogue::new(SEED);
    let mut times = [Times::default(), Times::default()];
    for _ in 0..QUESTIONS {
        let taken = ask(&mut catalogue)?;
        times.iter_mut().zip(taken).for_each(|(times, taken)| times.push(taken));
    }
    let [median, slow] = [50, 99].map(|at| times.each_ref().map(|times| times.percentile(at)));
    println!(
        "| {what} | {} | {} | {} | {} | {} | {} |",
        milliseconds(median[0]),
        milliseconds(slow[0]),
        milliseconds(median[1]),
        milliseconds(slow[1]),
        ratio(median[0], median[1]),
        ratio(slow[0], slow[1]),
    );
    Ok(())
}

fn rows(sqlite: &Connection, sql: &str) -> Result<usize> {
    let mut statement = sqlite.prepare(sql)?;
    let mut rows = statement.query(())?;
    let mut count = 0;
    while let Some(row) = rows.next()? {
        std::hint::black_box(row.get_ref(0)?);
        count += 1;
    }
    Ok(count)
}

fn searches(
    faces: &Faces,
    sqlite: &Connection,
    catalogue: &mut Catalogue,
) -> Result<[std::time::Duration; 2]> {
    let words = catalogue.question();
    let categories: Vec<String> = (0..3).map(|_| catalogue.category()).collect();
    let low = catalogue.price();
    let sql = format!(
        "SELECT records.data FROM words JOIN records ON records.rowid = words.rowid
         WHERE words MATCH '{}' AND json_extract(data, '$.category') IN ('{}')
         AND json_extract(data, '$.price') BETWEEN {low} AND {}
         ORDER BY bm25(words) LIMIT 10",
        words.join(" OR "),
        categories.join("','"),
        low + 100.0
    );
    let (found, theirs) = timed(|| rows(sqlite, &sql));
    found?;
    let filters = json!([
        { "field": "category", "op": "in", "value": categories },
        { "field": "price", "op": "between", "value": [low, low + 100.0] },
    ]);
    let request = SearchRecords {
        query: words.join(" "),
        records: request(filters, Some(10), &[]),
        ..SearchRecords::default()
    };
    let (found, ours) = timed(|| faces.search_records(&request).map_err(Box::new));
    found?;
    Ok([theirs, ours])
}

fn pages(
    faces: &Faces,
    sqlite: &Connection,
    catalogue: &mut Catalogue,
) -> Result<[std::time::Duration; 2]> {
    let (category, day) = (catalogue.category(), catalogue.day());
    let condition = format!(
        "json_extract(data, '$.category') = '{category}' AND json_extract(data, '$.added') >= '{day}'"
    );
    let page = format!(
        "SELECT data FROM records WHERE {condition}
         ORDER BY json_extract(data, '$.price') DESC, id LIMIT 50"
    );
    let total = format!("SELECT count(*) FROM records WHERE {condition}");
    let (found, theirs) =
        timed(|| Ok::<_, anyhow::Error>((rows(sqlite, &page)?, rows(sqlite, &total)?)));
    found?;
    let filters = json!([
        { "field": "category", "value": category },
        { "field": "added", "op": "gte", "value": day },
    ]);
    let request =
        QueryRecords { sort: vec!["-price".to_owned()], records: request(filters, Some(50), &[]) };
    let (found, ours) = timed(|| faces.query_records(&request).map_err(Box::new));
    found?;
    Ok([theirs, ours])
}

fn counts(faces: &Faces, sqlite: &Connection) -> Result<[std::time::Duration; 2]> {
    const FIELDS: [&str; 3] = ["category", "country", "rating"];
    let count = |field: &str| {
        let value = format!("json_extract(data, '$.{field}')");
        let sql =
            format!("SELECT {value}, count(*) FROM records GROUP BY 1 ORDER BY 2 DESC LIMIT 20");
        rows(sqlite, &sql)
    };
    let (found, theirs) = timed(|| FIELDS.map(count).into_iter().collect::<Result<Vec<_>>>());
    found?;
    let request =
        QueryRecords { records: request(Value::Null, Some(1), &FIELDS), ..QueryRecords::default() };
    let (found, ours) = timed(|| faces.query_records(&request).map_err(Box::new));
    found?;
    Ok([theirs, ours])
}

fn request(filters: Value, limit: Option<usize>, facets: &[&str]) -> RecordsRequest {
    RecordsRequest {
        resource_id: "products".to_owned(),
        filters,
        limit,
        facets: facets.iter().map(|field| (*field).to_owned()).collect(),
        ..RecordsRequest::default()
    }
}
