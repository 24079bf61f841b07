/**
 * A queue of "I’ve paid" claims made without a connection, stored in this browser and sent once there is a connection.
 */
import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import * as z from 'zod/mini'
import type { Payment } from '#domain/payments.ts'
import { isConnectionProblem, NOT_FOUND, toAppError } from '#lib/errors.ts'
import { useBackOnline } from '#lib/online.ts'
import { isOnline } from '#lib/site.ts'
import { local, read, readJson, storageKeys, write } from '#lib/storage.ts'
import { rpc } from '#lib/supabase.ts'
import { paymentToasts } from './payments.messages.ts'
import { paymentKeys, paymentQuery } from './payments.queries.ts'
import { seatKeys } from './seats.queries.ts'

const saidSchema = z.object({
  paymentId: z.string(),
  memberId: z.string(),
  ownerName: z.string(),
  /** The owner's note when "I’ve paid" was pressed. */
  note: z.nullable(z.string()),
  /** The payment's status when "I’ve paid" was pressed. */
  status: z.catch(z.enum(['due', 'cancelled']), 'due'),
  /** How and when the person paid, for staff. */
  how: z.catch(z.nullable(z.string()), null),
})
type Said = z.infer<typeof saidSchema>
const keptSchema = z.catch(z.array(saidSchema), [])

/** In ms: the pause between retries. They are needed because no event says when a gateway error is over. */
const PAUSE = 30_000

const kept = (): Said[] => readJson(local, storageKeys.saidPaid, (json) => keptSchema.parse(json))

function keep(all: Said[]): void {
  write(local, storageKeys.saidPaid, all.length > 0 ? JSON.stringify(all) : null)
  window.dispatchEvent(new Event(storageKeys.saidPaid))
}

const isKept = (paymentId: string) => kept().some((one) => one.paymentId === paymentId)

export const cancelQueuedClaim = (paymentId: string): void =>
  keep(kept().filter((one) => one.paymentId !== paymentId))

const say = ({ paymentId, how }: Pick<Said, 'paymentId' | 'how'>) =>
  rpc('say_paid', { p_payment_id: paymentId, ...(how && { p_note: how }) })

/** Only payments that are due, or were cancelled when their place ended, can be paid. */
const asPayable = (status: Payment['status']): Said['status'] => (status === 'cancelled' ? status : 'due')

/** Tells the owner that the member has paid. Without a connection, queues the claim and returns true. */
export async function claimPayment(
  {
    id: paymentId,
    memberId,
    ownerName,
    note,
    status,
  }: Pick<Payment, 'id' | 'memberId' | 'ownerName' | 'note' | 'status'>,
  how: string | null,
): Promise<boolean> {
  try {
    await say({ paymentId, how })
    return false
  } catch (problem) {
    if (!isConnectionProblem(problem)) throw problem
    const said = { paymentId, memberId, ownerName, note, status: asPayable(status), how }
    keep([...kept().filter((one) => one.paymentId !== paymentId), said])
    // If the browser's storage is disabled or full, the claim has not been queued.
    if (!isKept(paymentId)) throw problem
    return true
  }
}

/** The payments whose "I’ve paid" still waits for a connection. Updates live, also when another tab changes them. */
export function useQueuedClaims(): string[] {
  const json = useSyncExternalStore(
    watch,
    () => read(local, storageKeys.saidPaid),
    () => null,
  )
  return json === null ? [] : kept().map(({ paymentId }) => paymentId)
}

function watch(onChange: () => void): () => void {
  const events = ['storage', storageKeys.saidPaid]
  for (const event of events) window.addEventListener(event, onChange)
  return () => {
    for (const event of events) window.removeEventListener(event, onChange)
  }
}

/** Sends this person's queued claims once there is a connection. `shown` is the key of other lists with payments. */
export function useSendQueuedClaims(userId: string, shown: QueryKey): void {
  const cache = useQueryClient()
  useBackOnline(() => send(userId, cache, shown))
  useEffect(() => send(userId, cache, shown), [userId, cache, shown])
  const waits = useQueuedClaims().length > 0
  useEffect(() => {
    if (!waits) return
    const again = setInterval(() => isOnline() && send(userId, cache, shown), PAUSE)
    return () => clearInterval(again)
  }, [userId, cache, shown, waits])
}

function send(userId: string, cache: QueryClient, shown: QueryKey): void {
  for (const said of kept()) if (said.memberId === userId) void deliver(said, cache, shown)
}

async function deliver(said: Said, cache: QueryClient, shown: QueryKey): Promise<void> {
  try {
    const outcome = await settle(said, cache)
    if (outcome === 'taken-back') return
    paymentToasts.wentOut(said.ownerName, outcome)
  } catch (problem) {
    // After any other error the claim stays queued: the connection is lost again, or the session must be renewed first.
    if (toAppError(problem).code !== NOT_FOUND) return
    paymentToasts.wentOut(said.ownerName, 'gone')
  }
  // The entry stays in the queue until the payment's new status has been reloaded.
  const stale = [paymentKeys.all, seatKeys.all, shown]
  await Promise.all(stale.map((queryKey) => cache.invalidateQueries({ queryKey })))
  cancelQueuedClaim(said.paymentId)
}

/** Sends "I’ve paid" unless the payment has changed since. Returns the outcome. */
async function settle(
  said: Said,
  cache: QueryClient,
): Promise<Payment['status'] | 'said' | 'denied' | 'taken-back'> {
  const payment = () => cache.fetchQuery({ ...paymentQuery(said.paymentId), staleTime: 0 })
  const { status, note } = await payment()
  // While the payment was loading, the person may have undone the claim, or another tab may have sent it.
  if (!isKept(said.paymentId)) return 'taken-back'
  if (status !== said.status) return status
  if (note !== said.note) return 'denied'
  try {
    await say(said)
    return 'said'
  } catch (problem) {
    // Another tab or the owner may have acted first.
    const { status: now } = await payment()
    if (now === said.status) throw problem
    return now
  }
}
