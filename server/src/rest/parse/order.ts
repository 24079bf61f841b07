// `order=created_at.desc.nullslast,data->>rank,owner(name).desc`
import { type Field, parseField } from './field.ts'
import { Scanner } from './scanner.ts'

export interface OrderTerm {
  /** The embedded to-one relation whose column it is, if it is not the row's own. */
  relation: string | undefined
  field: Field
  descending: boolean
  nulls: 'first' | 'last' | undefined
}

export function parseOrder(text: string): OrderTerm[] {
  const scanner = new Scanner(text, 'order')
  const terms: OrderTerm[] = []
  do terms.push(parseTerm(scanner))
  while (scanner.eats(','))
  scanner.end()
  return terms
}

function parseTerm(scanner: Scanner): OrderTerm {
  let field = parseField(scanner)
  let relation: string | undefined
  if (field.path.length === 0 && scanner.eats('(')) {
    relation = field.column
    field = parseField(scanner)
    scanner.needs(')')
  }
  const descending = scanner.eats('.desc')
  if (!descending) scanner.eats('.asc')
  const nulls = scanner.eats('.nullsfirst') ? 'first' : scanner.eats('.nullslast') ? 'last' : undefined
  if (!scanner.done && !scanner.sees(',')) scanner.fail('"asc", "desc", "nullsfirst" or "nullslast"')
  return { relation, field, descending, nulls }
}
