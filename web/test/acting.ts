// Actions of people outside the open page, each with that person's own client; and the passing of time.
import type { TestServer, TestUser } from '@potluck/server/test/harness.ts'
import { onTestFinished } from 'vitest'
import { sayingHowPaid, takePayments } from './sharing.ts'

/** Approves or rejects a request as the owner. */
export const answer = (owner: TestUser, verb: 'approve' | 'reject', planId: string, requestId: string) =>
  sayingHowPaid(owner, () =>
    owner.client
      .rpc(`${verb}_subscription_request`, { p_request_id: requestId, p_subscription_id: planId })
      .throwOnError(),
  )

/** Ends a person's membership: the person leaves, unless another client (`by`) removes them. */
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

/** Makes every shared plan private, for a test that reads a whole list. */
export const hideOtherPlans = ({ db }: TestServer) =>
  db.query('update public.shared_subscriptions set is_private = true')

/** Lets the site take payments until the end of the test. */
export async function takePaymentsMeanwhile(server: TestServer): Promise<void> {
  onTestFinished(async () => void (await server.db.query('delete from private.payment_provider')))
  await takePayments(server)
}

/** Moves the site's clock ahead and does the work that is due; the clock is reset at the end of the test. */
export async function letPass({ db }: TestServer, time: string): Promise<void> {
  onTestFinished(async () => void (await db.query(`update private.clock set ahead = '0'`)))
  await db.query('select private.move_clock($1::interval)', [time])
  await db.query('select private.run_due_work(1000)')
}
