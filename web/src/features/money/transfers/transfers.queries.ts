import { keepPreviousData } from '@tanstack/react-query'
import { pagedQuery } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'

const PAGE_SIZE = 50
/** Rows asked for at once when all of them are wanted: the most the database gives. */
const BATCH = 1000

/** Which movements are wanted; what is left out is not asked about. */
export interface TransferWish {
  person?: string | undefined
  plan?: string | undefined
  kind?: string | undefined
  /** Calendar days, YYYY-MM-DD, both included. */
  from?: string | undefined
  until?: string | undefined
}

/** One movement of money between two accounts. */
export interface Transfer {
  id: number
  /** ISO timestamp. */
  createdAt: string
  kind: string
  /** In EUR, above zero. */
  amount: number
  fromKind: string
  toKind: string
  /** Whose money it is; null where it is the site's own. */
  personId: string | null
  personName: string | null
  planId: string | null
  /** Null when the plan is gone. */
  planName: string | null
  description: string
  /** Who moved it; null for the server. */
  movedBy: string | null
}

/** The transfers that fit, newest first, a page after the other. For admins. */
export const transfersQuery = ({ person, plan, kind, from, until }: TransferWish) => {
  const wish = { person, plan, kind, from, until }
  return pagedQuery({
    key: ['transfers', wish],
    size: PAGE_SIZE,
    placeholderData: keepPreviousData,
    load: ({ after }, signal): Promise<Transfer[]> => loadTransfers(wish, after, PAGE_SIZE, signal),
  })
}

/** All that fit, newest first, however many. */
export async function allTransfers(wish: TransferWish): Promise<Transfer[]> {
  const all: Transfer[] = []
  for (;;) {
    const rows = await loadTransfers(wish, all.at(-1) ?? null, BATCH)
    all.push(...rows)
    if (rows.length < BATCH) return all
  }
}

async function loadTransfers(
  { person, plan, kind, from, until }: TransferWish,
  after: Transfer | null,
  limit: number,
  signal?: AbortSignal,
): Promise<Transfer[]> {
  const rows = await rpc(
    'list_transfers',
    {
      p_person: person ?? null,
      p_subscription_id: plan ?? null,
      p_kind: kind ?? null,
      p_from: from ? new Date(`${from}T00:00`).toISOString() : null,
      p_until: until ? nextDay(until).toISOString() : null,
      p_before: after?.createdAt ?? null,
      p_before_id: after?.id ?? null,
      p_limit: limit,
    },
    signal,
  )
  return rows.map((row) => ({
    id: row.id,
    createdAt: row.created_at,
    kind: row.kind,
    amount: row.amount,
    fromKind: row.from_kind,
    toKind: row.to_kind,
    personId: row.person_id,
    personName: row.person_name,
    planId: row.subscription_id,
    planName: row.plan_name,
    description: row.description,
    movedBy: row.moved_by,
  }))
}

function nextDay(day: string): Date {
  const date = new Date(`${day}T00:00`)
  date.setDate(date.getDate() + 1)
  return date
}
