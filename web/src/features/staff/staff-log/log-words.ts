import { t } from '@lingui/core/macro'
import { fullDate } from '#domain/dates.ts'
import { listOf } from '#domain/lists.ts'
import { formatMoney } from '#domain/money.ts'
import { roleName } from '#domain/roles.ts'
import { language } from '#lib/language.ts'
import { isPerson, type LogLine } from './staff-log.queries.ts'

/** Translated actions, keyed by their names in the log. */
const ACTIONS: Record<string, string> = {
  'role given': t`role given`,
  'role taken': t`role taken`,
  'role changed': t`role changed`,
  'role defined': t`role defined`,
  'role edited': t`role edited`,
  'settings changed': t`settings changed`,
  'provider rule set': t`provider rule set`,
  'provider rule removed': t`provider rule removed`,
  'plan approved': t`plan approved`,
  'plan rejected': t`plan rejected`,
  'plan pending': t`plan to be reviewed again`,
  'review left': t`review left as it is`,
  'review hidden': t`review hidden`,
  'report closed': t`report closed`,
  'case closed': t`case closed`,
  'decided warned': t`warned`,
  'decided plan-rejected': t`plan not approved`,
  'decided plan-hidden': t`plan hidden`,
  'decided plan-made-private': t`plan made private`,
  'decided provider-closed': t`plan takes nobody new`,
  'decided review-hidden': t`review hidden`,
  'decided message-removed': t`message removed`,
  'decided picture-removed': t`picture removed`,
  'decided suspended': t`suspended`,
  'decided payouts-held': t`payouts held`,
  'reported chat read': t`reported chat read`,
  'support request answered': t`support request answered`,
  'provider request approved': t`provider request approved`,
  'provider request rejected': t`provider request rejected`,
  'access request approved': t`access request approved`,
  'access request rejected': t`access request rejected`,
  'withdrawal processing': t`withdrawal processing`,
  'withdrawal completed': t`withdrawal completed`,
  'withdrawal rejected': t`withdrawal rejected`,
  'withdrawal returned': t`withdrawal returned`,
  'problem decided for-owner': t`problem decided for the owner`,
  'problem decided for-member': t`problem decided for the member`,
  'wallet adjusted': t`wallet adjusted`,
  'charge booked after a restore': t`charge booked after a restore`,
  'payments resumed after a restore': t`payments resumed after a restore`,
  'address confirmed': t`address confirmed by hand`,
  'account banned': t`account banned`,
  'account let in again': t`account let in again`,
  'payment file made': t`payment file made`,
  'payment file opened': t`payment file opened`,
  'payment file voided': t`payment file voided`,
  'left out of a payment file': t`left out of a payment file`,
  'tax report made': t`tax report made`,
  'tax report opened': t`tax report opened`,
  'tax report voided': t`tax report voided`,
  'payment event looked at': t`payment event looked at`,
  'failed mails seen': t`undelivered emails marked as seen`,
  'mail sent again': t`undelivered email sent again`,
  'dispute answered': t`dispute answered`,
  'warned payment refunded': t`warned payment refunded`,
  'fraud warning left': t`fraud warning left`,
  'withdrawals lifted': t`withdrawals lifted`,
  'payment dispute decided received': t`payment dispute decided: paid`,
  'payment dispute decided denied': t`payment dispute decided: not paid`,
  'debt closed': t`refund between two people closed`,
  'payouts held': t`payouts held`,
  'payouts released': t`payouts released`,
  'country decided': t`country for VAT decided`,
  'refund left as goodwill': t`refund left as goodwill`,
  'place ended after a refund': t`place ended after a refund`,
}

const DETAILS: Record<string, string> = {
  before: t`before`,
  after: t`after`,
  reason: t`reason`,
  finding: t`finding`,
  decision: t`decision`,
  request: t`request`,
  answer: t`answer`,
  provider: t`provider`,
  amount: t`amount`,
  payments: t`payments`,
  type: t`type`,
  about: t`about`,
  until: t`until`,
  ground: t`based on`,
  clause: t`section`,
  block: t`facts`,
  withdrawals: t`withdrawals`,
  mails: t`emails`,
}

/** The translated action, as the start of a sentence; an unknown one is returned unchanged. */
export function actionName(action: string): string {
  const name = ACTIONS[action] ?? action
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1)
}

/** The name of the actor. Without an actor, Potluck acted by itself; an account without a name has been deleted. */
export const whoDid = ({ actor, actorName }: Pick<LogLine, 'actor' | 'actorName'>) =>
  actorName ?? (actor ? t`Deleted account` : 'Potluck')

/** Subjects of actions that concern the whole site. */
const WHOLE_SITE = ['settings', 'payments']

/** An entry in one sentence, such as "Role given to Sofia: Super-admin". */
export function sentenceOf({ action, subject, subjectName, details }: LogLine): string {
  const { before, after } = details as { before?: unknown; after?: unknown }
  const name = subjectName ?? subject
  const was = roleName(String(before))
  const is = roleName(String(after))
  if (action === 'role given') return t`Role given to ${name}: ${is}`
  if (action === 'role taken') return t`Role taken from ${name}: ${was}`
  if (action === 'role changed') return t`Role of ${name} changed from ${was} to ${is}`
  const done = actionName(action)
  return WHOLE_SITE.includes(subject) || (subjectName === null && isPerson(subject))
    ? done
    : t`${done}: ${name}`
}

export const detailName = (name: string): string => DETAILS[name] ?? name.replaceAll('_', ' ')

type Details = Record<string, unknown>

const isRow = (value: unknown): value is Details =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The details of a line. A row before and after a change is reduced to the columns that changed. */
export function changed(details: object): [name: string, value: unknown][] {
  const { before = null, after = null }: { before?: unknown; after?: unknown } = details
  if (!isRow(before) || !isRow(after)) return Object.entries(details)
  const keys = Object.keys(after).filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
  const only = (row: Details) => Object.fromEntries(keys.map((key) => [key, row[key]]))
  return Object.entries({ ...details, before: only(before), after: only(after) })
}

/** A detail as words: an amount with its currency, a time as a date, a row as its columns. */
export function inWords(name: string, value: unknown): string {
  if (value === null || value === undefined) return '–'
  if (name === 'amount') return formatMoney(value)
  if (Array.isArray(value)) return listOf(value.map((one) => inWords('', one)))
  if (isRow(value))
    return listOf(Object.entries(value).map(([key, one]) => `${detailName(key)} ${inWords(key, one)}`))
  if (value === true) return t({ message: 'yes', context: 'a setting' })
  if (value === false) return t({ message: 'no', context: 'a setting' })
  if (/^\d{4}-\d\d-\d\dT/.test(String(value))) return fullDate(String(value))
  return roleName(String(value))
}
