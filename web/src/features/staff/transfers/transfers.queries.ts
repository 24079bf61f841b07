import { keepPreviousData } from '@tanstack/react-query'
import { named } from '#domain/plan-name.ts'
import { camel, type RowOf } from '#lib/camel.ts'
import { pagedQuery } from '#lib/query.ts'
import { type Sorting, sortedPage } from '#lib/sorting.ts'
import { rpc } from '#lib/supabase.ts'

const PAGE_SIZE = 50
/** Rows per request when loading all transfers: the maximum that the database returns. */
const BATCH = 1000

/** The filter of the transfer list. An omitted field does not filter. */
export interface TransferFilter {
  person?: string | undefined
  plan?: string | undefined
  kind?: string | undefined
  /** Calendar days, YYYY-MM-DD, both included. */
  from?: string | undefined
  until?: string | undefined
  sorting?: Sorting | undefined
}

/**
 * A transfer between two accounts, with an amount in EUR above zero and an ISO timestamp. A null person means the
 * site's own money, a null `planName` a deleted plan, a null `movedBy` the server.
 */
export type Transfer = RowOf<
  'list_transfers',
  'personId' | 'personName' | 'subscriptionId' | 'planName' | 'movedBy'
>

/** The transfers that match the filter, newest first, in pages. For admins. */
export const transfersQuery = ({ person, plan, kind, from, until, sorting }: TransferFilter) => {
  const filter = { person, plan, kind, from, until, sorting }
  return pagedQuery<Transfer>({
    key: ['transfers', filter],
    size: PAGE_SIZE,
    placeholderData: keepPreviousData,
    load: ({ after }, signal) => loadTransfers(filter, after, PAGE_SIZE, signal),
  })
}

/** Loads all transfers that match the filter, newest first. */
export async function allTransfers(filter: TransferFilter): Promise<Transfer[]> {
  const all: Transfer[] = []
  for (;;) {
    const rows = await loadTransfers(filter, all.at(-1) ?? null, BATCH)
    all.push(...rows)
    if (rows.length < BATCH) return all
  }
}

async function loadTransfers(
  { person, plan, kind, from, until, sorting }: TransferFilter,
  after: Transfer | null,
  limit: number,
  signal?: AbortSignal,
): Promise<Transfer[]> {
  const wanted = {
    p_person: person ?? null,
    p_subscription_id: plan ?? null,
    p_kind: kind ?? null,
    p_from: from ? new Date(`${from}T00:00`).toISOString() : null,
    p_until: until ? nextDay(until).toISOString() : null,
  }
  const page = sorting
    ? sortedPage(sorting, 'id', after)
    : { p_before: after?.createdAt ?? null, p_before_id: after?.id ?? null }
  const rows = await rpc('list_transfers', { ...wanted, ...page, p_limit: limit }, signal)
  return rows.map((row) => named(camel<Transfer>(row)))
}

function nextDay(day: string): Date {
  const date = new Date(`${day}T00:00`)
  date.setDate(date.getDate() + 1)
  return date
}
