// What happens outside the page that is open: people act in their own name, and time passes.
import type { TestServer, TestUser } from '@potluck/server/test/harness.ts'
import { onTestFinished } from 'vitest'
import { sayingHowPaid, takePayments } from './sharing.ts'

/** Has the owner answer a request. */
export const answer = (owner: TestUser, verb: 'approve' | 'reject', planId: string, requestId: string) =>
  sayingHowPaid(owner, () =>
    owner.client
      .rpc(`${verb}_subscription_request`, { p_request_id: requestId, p_subscription_id: planId })
      .throwOnError(),
  )

/** Ends somebody's membership, by themselves unless somebody else does. */
export const leavePlan = (planId: string, { id, client }: TestUser, by = { client }) =>
  by.client
    .from('subscription_members')
    .delete()
    .eq('subscription_id', planId)
    .eq('user_id', id)
    .throwOnError()

export const changePlan = (owner: TestUser, planId: string, changes: object) =>
  owner.client.from('shared_subscriptions').update(changes).eq('id', planId).throwOnError()

export const endPlan = (owner: TestUser, planId: string) =>
  owner.client.from('shared_subscriptions').delete().eq('id', planId).throwOnError()

/** Takes what others share off the lists, for a test that reads a whole list. */
export const hideOtherPlans = ({ db }: TestServer) =>
  db.query('update public.shared_subscriptions set is_private = true')

/** Somebody takes payments for the site until the test is over. */
export async function takePaymentsMeanwhile(server: TestServer): Promise<void> {
  onTestFinished(async () => void (await server.db.query('delete from private.payment_provider')))
  await takePayments(server)
}

/** Lets time pass and what falls due be done; the clock goes right again when the test is over. */
export async function letPass({ db }: TestServer, time: string): Promise<void> {
  onTestFinished(async () => void (await db.query(`update private.clock set ahead = '0'`)))
  await db.query('select private.move_clock($1::interval)', [time])
  await db.query('select private.run_due_work(1000)')
}
