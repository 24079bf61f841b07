import { blocks } from './cells/blocks.ts'
import { chat } from './cells/chat.ts'
import { invitations } from './cells/invitations.ts'
import { mail } from './cells/mail.ts'
import { memberships } from './cells/memberships.ts'
import { payments } from './cells/payments.ts'
import { people } from './cells/people.ts'
import { plans } from './cells/plans.ts'
import { providers } from './cells/providers.ts'
import { reviews } from './cells/reviews.ts'
import { seats } from './cells/seats.ts'
import { staff } from './cells/staff.ts'
import { standing } from './cells/standing.ts'
import { waitingList } from './cells/waiting-list.ts'
import { wallet } from './cells/wallet.ts'
import type { FunctionCells, TableCells } from './cells.ts'

const NOUNS = [
  plans,
  memberships,
  waitingList,
  invitations,
  chat,
  blocks,
  people,
  mail,
  wallet,
  seats,
  payments,
  standing,
  reviews,
  staff,
  providers,
]

/** Every object by its name, in the order of the nouns. */
export const TABLES = new Map<string, TableCells>(NOUNS.flatMap(({ tables = {} }) => Object.entries(tables)))
export const FUNCTIONS = new Map<string, FunctionCells>(
  NOUNS.flatMap(({ functions = {} }) => Object.entries(functions)),
)
