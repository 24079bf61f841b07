import { t } from '@lingui/core/macro'
import { LIMITS } from '@potluck/supabase/limits'
import * as z from 'zod/mini'
import { camel, type RowOf } from '#lib/camel.ts'
import { useChange } from '#lib/change.ts'
import { answerOf } from '#lib/errors.ts'
import { withProof } from '#lib/proof.ts'
import { pagedQuery, query } from '#lib/query.ts'
import { SECURITY } from '#lib/security.ts'
import { rpc } from '#lib/supabase.ts'
import { callVault } from '#lib/vault.ts'
import { toastError } from '#ui/toasts.ts'

/** Titles and descriptions of the event types a webhook can receive. */
export const TYPES: Record<(typeof LIMITS.webhookTypes)[number], { title: string; text: string }> = {
  request: { title: t`Requests`, text: t`Someone asks to join your plan` },
  approval: { title: t`Approvals`, text: t`You’re let in, or someone joins your plan instantly` },
  'payment.due': { title: t`Payments due`, text: t`A payment is due, or your place renews soon` },
  'payment.claimed': { title: t`Payments to confirm`, text: t`A member says they’ve paid you` },
  'payment.paid': { title: t`Payments made`, text: t`A payment has arrived` },
  'payment.late': { title: t`Payments missing`, text: t`A payment is late or has failed` },
  'payment.disputed': {
    title: t`Payments disputed`,
    text: t`You and the other side disagree about a payment, or our team has decided`,
  },
  message: { title: t`Messages`, text: t`Someone writes to you. What they write isn’t sent along.` },
  problem: { title: t`Problems`, text: t`A problem is reported, answered or closed` },
}

/** The title of a delivery's type; a test delivery has a type that is not in `TYPES`. */
export const typeInWords = (type: string) =>
  type in TYPES ? TYPES[type as keyof typeof TYPES].title : t`Test`

/** A webhook of the signed-in person, without its secret. Times are ISO. */
export type Webhook = RowOf<'my_webhooks', 'oldUntil' | 'stoppedAt' | 'stoppedWhy' | 'lastAttemptAt'>

export type Delivery = RowOf<
  'my_webhook_deliveries',
  'lastAttemptAt' | 'lastStatus' | 'lastError' | 'lastAnswer' | 'lastMs' | 'deliveredAt' | 'failedAt',
  { payload: { type: string; timestamp: string; data: object } }
>

const WEBHOOKS = [...SECURITY, 'webhooks']
/** In ms: the pause between reloads of the deliveries, and the limit for `isOnItsWay`. */
const MOMENT = 3000
const MINUTE = 60_000

/** The signed-in person's webhooks, newest first. */
export const webhooksQuery = query({
  key: [...WEBHOOKS, 'list'],
  load: async (signal) => (await rpc('my_webhooks', {}, signal)).map(camel<Webhook>),
})

/** True if the delivery will be attempted within a minute. */
const isOnItsWay = ({ deliveredAt, failedAt, nextAttemptAt }: Delivery) =>
  !deliveredAt && !failedAt && Date.parse(nextAttemptAt) < Date.now() + MINUTE

/** A webhook's deliveries, newest first; reloaded while one is about to be attempted. */
export const deliveriesQuery = (webhookId: string) => {
  const list = pagedQuery<Delivery>({
    key: [...WEBHOOKS, 'deliveries', webhookId],
    size: LIMITS.deliveriesPage,
    load: async ({ count }, signal) =>
      (await rpc('my_webhook_deliveries', { p_webhook_id: webhookId, p_after: count }, signal)).map(
        camel<Delivery>,
      ),
  })
  const refetchInterval: typeof list.refetchInterval = ({ state }) =>
    state.data?.pages.some(({ rows }) => rows.some(isOnItsWay)) ? MOMENT : false
  return { ...list, refetchInterval, refetchIntervalInBackground: false }
}

const madeAnswer = z.object({ secret: z.string() })

export interface NewWebhook {
  name: string
  url: string
  events: string[]
}

/** Creates a webhook and returns its secret, which cannot be read again. */
export const useMakeWebhook = () =>
  useChange({
    run: async (wanted: NewWebhook) =>
      madeAnswer.parse(await withProof(() => callVault('make-webhook', { ...wanted }))).secret,
    stale: [SECURITY],
    failed: (problem) => toastError(t`No webhook was added`, answerOf(problem, t`Please try again.`)),
  })

/** Replaces a webhook's secret and returns the new one, which cannot be read again. */
export const useRotateWebhook = () =>
  useChange({
    run: async ({ id }: Webhook) =>
      madeAnswer.parse(await withProof(() => callVault('rotate-webhook', { id }))).secret,
    stale: [SECURITY],
    failed: (problem) => toastError(t`The secret was not replaced`, answerOf(problem, t`Please try again.`)),
  })

export const useEndWebhook = (onDone: () => void) =>
  useChange({
    run: ({ id }: Webhook) => rpc('end_webhook', { p_id: id }),
    stale: [WEBHOOKS],
    done: onDone,
    failed: (problem) => toastError(t`The webhook was not removed`, answerOf(problem, t`Please try again.`)),
  })

/** Sends a test delivery. A stopped webhook is resumed first. */
export const useTestWebhook = (onDone: () => void) =>
  useChange({
    run: ({ id, stoppedAt }: Webhook) => rpc(stoppedAt ? 'resume_webhook' : 'test_webhook', { p_id: id }),
    stale: [WEBHOOKS],
    done: onDone,
    failed: (problem) => toastError(t`Test not sent`, answerOf(problem, t`Please try again.`)),
  })

export const useResend = () =>
  useChange({
    run: ({ id }: Delivery) => rpc('resend_webhook_delivery', { p_id: id }),
    stale: [WEBHOOKS],
    failed: (problem) => toastError(t`Not sent again`, answerOf(problem, t`Please try again.`)),
  })
