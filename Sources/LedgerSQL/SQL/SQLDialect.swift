/// The SQL dialect of a database.
package enum SQLDialect: Sendable { case sqlite, postgres }
