-- What is kept.
CREATE TABLE IF NOT EXISTS store.entries (
    id BIGINT PRIMARY KEY,
    key TEXT NOT NULL UNIQUE, -- never empty
    value JSONB DEFAULT '{}',
    CONSTRAINT positive CHECK (id > 0)
);

CREATE UNIQUE INDEX entries_by_key ON store.entries (key);

/* Entries of today. */
CREATE OR REPLACE VIEW recent AS
SELECT id, key FROM store.entries WHERE at > now();

CREATE MATERIALIZED VIEW counts AS SELECT count(*) AS n FROM store.entries;

CREATE TYPE state AS ENUM ('open', 'closed');

-- Finds a value.
CREATE OR REPLACE FUNCTION store.get(wanted TEXT) RETURNS JSONB AS $$
BEGIN
    RETURN (SELECT value FROM store.entries WHERE key = wanted);
END;
$$ LANGUAGE plpgsql;

CREATE TRIGGER touch BEFORE UPDATE ON store.entries
FOR EACH ROW EXECUTE FUNCTION touch_row();

CREATE SCHEMA archive;
CREATE SEQUENCE ids START 1;

ALTER TABLE store.entries ADD COLUMN at TIMESTAMP;
INSERT INTO store.entries (id, key) VALUES (1, 'a');
SELECT * FROM recent WHERE id = 1;
