//! The statements of the index, for one table.

/// Parameters 1 and 2: the lot.
const LOT: &str = "tenant = $1 AND kind = $2";
/// Parameters 3 to 5: project, team and organisation of the caller. The same rule as `Shared::seen_by`.
const SEEN: &str =
    "(project = $3 OR (scope = 'team' AND team = $4) OR (scope = 'org' AND org = $5))";
/// Parameters 6 and 7: scope and facet, where only some are wanted.
const CHOSEN: &str = "($6::text IS NULL OR scope = $6) AND ($7::text IS NULL OR facet = $7)";

/// The statements for one table, and whether its vectors are of pgvector's type.
#[derive(Clone, Debug)]
pub(super) struct Statements {
    table: String,
    /// The schema of the extension, quoted; `None` for vectors as bytes.
    extension: Option<String>,
}

impl Statements {
    /// `schema` is that of the extension.
    pub(super) fn new(table: String, schema: Option<&str>) -> Self {
        Self { table, extension: schema.map(quoted) }
    }

    /// Makes the table with the indexes by which a search finds what its caller may see.
    pub(super) fn table(&self, dimensions: usize) -> String {
        let table = &self.table;
        let vector = match &self.extension {
            Some(schema) => format!("{schema}.vector({dimensions})"),
            None => "BYTEA".to_owned(),
        };
        format!(
            "CREATE TABLE {table} (
                 tenant  TEXT COLLATE \"C\" NOT NULL,
                 kind    TEXT COLLATE \"C\" NOT NULL,
                 id      TEXT COLLATE \"C\" NOT NULL,
                 piece   INTEGER NOT NULL,
                 project TEXT    NOT NULL,
                 team    TEXT,
                 org     TEXT,
                 scope   TEXT    NOT NULL,
                 facet   TEXT    NOT NULL,
                 print   TEXT    NOT NULL,
                 vector  {vector} NOT NULL,
                 PRIMARY KEY (tenant, kind, id, piece)
             );
             CREATE INDEX {table}_project ON {table} (tenant, kind, project);
             CREATE INDEX {table}_team ON {table} (tenant, kind, team) WHERE scope = 'team';
             CREATE INDEX {table}_org ON {table} (tenant, kind, org) WHERE scope = 'org';
             ALTER TABLE {table} ENABLE ROW LEVEL SECURITY;
             CREATE POLICY of_tenant ON {table} USING (tenant = (SELECT tenant_seen()));"
        )
    }

    /// Makes the graph.
    pub(super) fn graph(&self) -> Option<String> {
        let (table, schema) = (&self.table, self.extension.as_ref()?);
        Some(format!(
            "CREATE INDEX IF NOT EXISTS {table}_near ON {table} USING hnsw (vector {schema}.vector_cosine_ops)"
        ))
    }

    /// Counts what is where, for the planner.
    pub(super) fn analyse(&self) -> String {
        format!("ANALYZE {}", self.table)
    }

    /// Takes the graph away.
    pub(super) fn no_graph(&self) -> String {
        format!("DROP INDEX IF EXISTS {}_near", self.table)
    }

    /// Writes points: their pieces as columns in parameters 3 to 11. What a point had more pieces of goes.
    pub(super) fn put(&self) -> String {
        let (table, read) = (&self.table, self.read("given.vector"));
        format!(
            "WITH given AS MATERIALIZED (
                 SELECT * FROM unnest($3, $4, $5, $6, $7, $8, $9, $10, $11)
                     AS given (id, piece, project, team, org, scope, facet, print, vector)
             ), surplus AS (
                 DELETE FROM {table} AS old USING (SELECT id, max(piece) AS last FROM given GROUP BY id) AS new
                 WHERE {LOT} AND old.id = new.id AND old.piece > new.last
             )
             INSERT INTO {table} (tenant, kind, id, piece, project, team, org, scope, facet, print, vector)
             SELECT $1, $2, id, piece, project, team, org, scope, facet, print, {read} FROM given
             ON CONFLICT (tenant, kind, id, piece) DO UPDATE SET
                 project = excluded.project, team = excluded.team, org = excluded.org, scope = excluded.scope,
                 facet = excluded.facet, print = excluded.print, vector = excluded.vector"
        )
    }

    /// Takes out the points with the ids of parameter 3.
    pub(super) fn remove(&self) -> String {
        format!("DELETE FROM {} WHERE {LOT} AND id = ANY ($3)", self.table)
    }

    /// Takes out some of a lot, at most as many rows as parameter 3 says.
    pub(super) fn clear(&self) -> String {
        let table = &self.table;
        format!(
            "DELETE FROM {table} WHERE ctid = ANY (ARRAY (SELECT ctid FROM {table} WHERE {LOT} LIMIT $3))"
        )
    }

    /// Points of a lot.
    pub(super) fn size(&self) -> String {
        format!("SELECT count(*) FROM {} WHERE {LOT} AND piece = 0", self.table)
    }

    /// Points of a lot that the caller sees.
    pub(super) fn count(&self) -> String {
        format!("SELECT count(*) FROM {} WHERE {LOT} AND {SEEN} AND piece = 0", self.table)
    }

    /// Ids and prints after the id of parameter 3, as many as parameter 4.
    pub(super) fn page(&self) -> String {
        format!(
            "SELECT id, print FROM {} WHERE {LOT} AND id > $3 AND piece = 0 ORDER BY id LIMIT $4",
            self.table
        )
    }

    /// Whether the table has more rows than parameter 1.
    pub(super) fn is_larger(&self) -> String {
        format!("SELECT count(*) > $1 FROM (SELECT FROM {} LIMIT $1 + 1) AS counted", self.table)
    }

    /// Pieces by their nearness to the vector of parameter 8, as many as parameter 9: what a graph can be used for.
    pub(super) fn near(&self) -> Option<String> {
        let (table, distance) = (&self.table, self.distance()?);
        Some(format!(
            "SELECT id, 1 - {distance} FROM {table} WHERE {LOT} AND {SEEN} AND {CHOSEN}
             ORDER BY {distance} LIMIT $9"
        ))
    }

    /// The nearest points to the vector of parameter 8, as many as parameter 9, all that may be seen compared.
    pub(super) fn exact(&self) -> Option<String> {
        let (table, distance) = (&self.table, self.distance()?);
        Some(format!(
            "SELECT id, max(1 - {distance}) AS cosine FROM {table} WHERE {LOT} AND {SEEN} AND {CHOSEN}
             GROUP BY id ORDER BY cosine DESC, id LIMIT $9"
        ))
    }

    /// Every piece that may be seen, to be compared here.
    pub(super) fn scan(&self) -> String {
        format!("SELECT id, vector FROM {} WHERE {LOT} AND {SEEN} AND {CHOSEN}", self.table)
    }

    /// The cosine distance of a row and parameter 8.
    fn distance(&self) -> Option<String> {
        let schema = self.extension.as_ref()?;
        Some(format!("(vector OPERATOR({schema}.<=>) {})", self.read("$8")))
    }

    fn read(&self, text: &str) -> String {
        match &self.extension {
            Some(schema) => format!("{text}::text::{schema}.vector"),
            None => text.to_owned(),
        }
    }
}

/// A name as SQL writes it, whatever it holds.
pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_the_extension_nothing_of_it_is_named() {
        let bytes = Statements::new("t".to_owned(), None);
        let all = [bytes.table(3), bytes.put(), bytes.scan(), bytes.page(), bytes.clear()];
        assert!(all.iter().all(|sql| !sql.contains("::") || !sql.contains(".vector")), "{all:?}");
        assert!(bytes.graph().is_none() && bytes.near().is_none() && bytes.exact().is_none());
    }

    #[test]
    fn the_extension_is_found_wherever_it_lies() {
        let odd = Statements::new("t".to_owned(), Some("a\"b"));
        assert!(odd.table(3).contains("\"a\"\"b\".vector(3)"));
        assert!(odd.near().is_some_and(|sql| sql.contains("OPERATOR(\"a\"\"b\".<=>)")));
    }
}
