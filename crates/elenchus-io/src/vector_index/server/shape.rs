//! What the server offers for vectors, and the table that is made of it.

use super::sql::{Statements, quoted};
use crate::pg::{migrate, plain_cause};
use elenchus_core::id::short_hash;
use std::fmt;
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, Transaction};

/// Told apart from other programs' locks on the same server: "ELVX".
const LOCK: i64 = 0x454C_5658;
/// Most numbers of a vector that pgvector's type holds.
const MOST_NUMBERS: usize = 16_000;
/// Most numbers of a vector that it makes a graph of.
const MOST_IN_GRAPH: usize = 2_000;
/// Memory for making a graph; where it is too small, that takes much longer.
const MEMORY: &str = "SET LOCAL maintenance_work_mem = '512MB'";

/// How a server compares vectors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// With pgvector.
    Extension {
        /// Its version.
        version: String,
        /// The schema that it lies in.
        schema: String,
        /// Whether vectors of this length can have a graph.
        graph: bool,
    },
    /// By reading all vectors that a caller may see.
    Exact {
        /// Why.
        cause: String,
        /// What to do about it.
        way_out: String,
    },
}

impl fmt::Display for Standing {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Extension { version, graph: true, .. } => write!(out, "pgvector {version}, HNSW"),
            Self::Extension { version, .. } => {
                write!(out, "pgvector {version}, exact: the vectors are too long for a graph")
            }
            Self::Exact { .. } => write!(out, "exact, without pgvector"),
        }
    }
}

/// A table that is there, and how it is asked.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    pub(super) standing: Standing,
    pub(super) statements: Statements,
    /// Whether this process made the table.
    pub(super) is_new: bool,
}

impl Shape {
    pub(super) fn has_graph(&self) -> bool {
        matches!(self.standing, Standing::Extension { graph: true, .. })
    }

    pub(super) fn has_extension(&self) -> bool {
        matches!(self.standing, Standing::Extension { .. })
    }
}

/// What a server offers, looked at without changing anything: `Err` holds what could be tried.
enum Offer {
    There { version: String, schema: String },
    Available,
    Absent,
}

async fn offered(on: &Transaction<'_>) -> Result<Offer, String> {
    let failed = |error: tokio_postgres::Error| plain_cause(&error);
    let there = on
        .query_opt(
            "SELECT extversion, nspname::text FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace
             WHERE extname = 'vector'",
            &[],
        )
        .await
        .map_err(failed)?;
    if let Some(row) = there {
        let (version, schema) = (row.try_get(0).map_err(failed)?, row.try_get(1).map_err(failed)?);
        return Ok(Offer::There { version, schema });
    }
    let available = on
        .query_opt("SELECT FROM pg_available_extensions WHERE name = 'vector'", &[])
        .await
        .map_err(failed)?;
    Ok(if available.is_some() { Offer::Available } else { Offer::Absent })
}

fn absent() -> Standing {
    Standing::Exact {
        cause: "pgvector is not installed on the server".to_owned(),
        way_out: "install it there (Debian and Ubuntu: postgresql-NN-pgvector), restart elenchus and run `elenchus \
                  index check --repair`"
            .to_owned(),
    }
}

fn there(version: String, schema: String, dimensions: usize) -> Standing {
    if dimensions > MOST_NUMBERS {
        return Standing::Exact {
            cause: format!(
                "pgvector holds vectors of up to {MOST_NUMBERS} numbers, and the embedder's have {dimensions}"
            ),
            way_out: "choose an embedder with fewer dimensions".to_owned(),
        };
    }
    Standing::Extension { version, schema, graph: dimensions <= MOST_IN_GRAPH }
}

/// How the server would compare vectors of this length; nothing is changed.
///
/// # Errors
/// When the server cannot be asked.
pub(super) async fn look(client: &mut Client, dimensions: usize) -> Result<Standing, String> {
    let failed = |error: tokio_postgres::Error| plain_cause(&error);
    let on = client.transaction().await.map_err(failed)?;
    Ok(match offered(&on).await? {
        Offer::There { version, schema } => there(version, schema, dimensions),
        Offer::Absent => absent(),
        Offer::Available => Standing::Exact {
            cause: "pgvector is installed on the server and not made in this database".to_owned(),
            way_out: "the first write to the memory makes it, where the user may; else let an owner of the database \
                      run `CREATE EXTENSION vector`"
                .to_owned(),
        },
    })
}

/// Makes sure that there is a table for vectors of this embedder, of pgvector's type where it can be had.
///
/// # Errors
/// When the server cannot be asked, or the user may not make tables.
pub(super) async fn prepare(
    client: &mut Client,
    embedder: &str,
    dimensions: usize,
    extension: bool,
) -> Result<Shape, String> {
    let failed = |error: tokio_postgres::Error| plain_cause(&error);
    migrate(client).await?;
    let mut change = client.transaction().await.map_err(failed)?;
    change
        .batch_execute("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0")
        .await
        .map_err(failed)?;
    change.query_one("SELECT pg_advisory_xact_lock($1)", &[&LOCK]).await.map_err(failed)?;
    let standing = if extension {
        match offered(&change).await? {
            Offer::There { version, schema } => there(version, schema, dimensions),
            Offer::Absent => absent(),
            Offer::Available => made(&mut change, dimensions).await?,
        }
    } else {
        Standing::Exact {
            cause: "pgvector is not to be used".to_owned(),
            way_out: "let it be used".to_owned(),
        }
    };
    let (kind, schema) = match &standing {
        Standing::Extension { schema, .. } => ("vectors", Some(schema.as_str())),
        Standing::Exact { .. } => ("vector_bytes", None),
    };
    let name = |kind: &str| format!("{kind}_{}_{dimensions}", short_hash(embedder.as_bytes(), 8));
    let statements = Statements::new(name(kind), schema);
    let is_there: bool = change
        .query_one("SELECT to_regclass($1) IS NOT NULL", &[&name(kind)])
        .await
        .and_then(|row| row.try_get(0))
        .map_err(failed)?;
    if !is_there {
        change.batch_execute(&statements.table(dimensions)).await.map_err(failed)?;
    }
    let graph = matches!(standing, Standing::Extension { graph: true, .. });
    if let Some(graph) = statements.graph().filter(|_| graph) {
        // At once in a new table; where somebody broke off a loading, it takes as long as it takes.
        change.batch_execute(&format!("{MEMORY}; {graph}")).await.map_err(failed)?;
    }
    if schema.is_some() && !is_there {
        // What was kept before the extension came: it is made again from the store.
        let before = format!("DROP TABLE IF EXISTS {}", name("vector_bytes"));
        change.batch_execute(&before).await.map_err(failed)?;
    }
    change.commit().await.map_err(failed)?;
    Ok(Shape { standing, statements, is_new: !is_there })
}

/// Makes the extension, where everybody looks for it if that is allowed.
async fn made(change: &mut Transaction<'_>, dimensions: usize) -> Result<Standing, String> {
    let failed = |error: tokio_postgres::Error| plain_cause(&error);
    let schema: String = change
        .query_one(
            "SELECT CASE WHEN has_schema_privilege(oid, 'CREATE') THEN 'public' ELSE current_schema() END
             FROM (SELECT (SELECT oid FROM pg_namespace WHERE nspname = 'public') AS oid) AS known",
            &[],
        )
        .await
        .and_then(|row| row.try_get(0))
        .map_err(failed)?;
    let point = change.transaction().await.map_err(failed)?;
    let make = format!("CREATE EXTENSION vector SCHEMA {}", quoted(&schema));
    match point.batch_execute(&make).await {
        Ok(()) => {
            point.commit().await.map_err(failed)?;
            match offered(change).await? {
                Offer::There { version, schema } => Ok(there(version, schema, dimensions)),
                Offer::Available | Offer::Absent => Ok(absent()),
            }
        }
        Err(error) => {
            let refused = error.code() == Some(&SqlState::INSUFFICIENT_PRIVILEGE);
            let cause = match error.as_db_error() {
                Some(said) => said.message().to_owned(),
                None => return Err(failed(error)),
            };
            point.rollback().await.map_err(failed)?;
            Ok(Standing::Exact {
                cause: format!(
                    "pgvector is installed on the server, and it could not be made in this database ({cause})"
                ),
                way_out: if refused {
                    "let an owner of the database run `CREATE EXTENSION vector`, restart elenchus and run `elenchus index \
                     check --repair`"
                        .to_owned()
                } else {
                    "run `CREATE EXTENSION vector` in the database and see what the server says"
                        .to_owned()
                },
            })
        }
    }
}
