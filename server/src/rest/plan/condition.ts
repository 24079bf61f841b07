// Resolves the names in conditions: columns with their types, and embedded relations.
import { RestError } from '../errors.ts'
import type { Condition } from '../parse/condition.ts'
import type { PlannedCondition, ReadNode } from './read.ts'

/** A condition that names a column of the node; one that names an embedded relation asks whether it is there. */
export function planCondition(
  condition: Condition,
  node: Pick<ReadNode, 'source' | 'embeds'>,
): PlannedCondition {
  if (condition.kind === 'group') {
    return { ...condition, of: condition.of.map((member) => planCondition(member, node)) }
  }
  const { field, not, test } = condition
  const embed = node.embeds.find(({ item }) => field.column === (item.alias ?? item.name))
  if (!embed) return { ...condition, type: node.source.table?.columns.get(field.column)?.type }
  if (test.kind !== 'is' || !test.state.endsWith('null')) {
    throw new RestError('PGRST120', 'Bad operator on the embedded resource', {
      details: `Only is null or not is null filters are allowed on embedded resources`,
    })
  }
  embed.restricts = true
  return { kind: 'found', embed, not: not === (test.state === 'not null') }
}
