/// Where databases need different words for the same.
package enum SQLDialect: Sendable { case sqlite, postgres }
