// Owners' own accounts at Stripe (Connect, Accounts v2). The owners are recipients with an Express dashboard, for which
// the site bears fees and losses; Stripe verifies their identity and pays them out. Members are charged on the site's
// account, and the money is transferred afterwards (separate charges and transfers).
import Stripe from 'stripe'
import type { Account, Accounts, TransferOrder } from './provider.ts'

const PATH = '/account-settings/money'
const WHOLE = {
  include: ['configuration.recipient', 'requirements'],
} satisfies Stripe.V2.Core.AccountRetrieveParams
/** Errors that may pass, for example if the site's balance has no money yet, or the account's has none left. */
const PASSES = ['balance_insufficient', 'insufficient_funds', 'lock_timeout', 'rate_limit']

export function stripeAccounts(stripe: Stripe, siteUrl: string): Accounts {
  /** Finds the transfer of an earlier attempt whose answer was lost. */
  async function find({ id, account, since }: TransferOrder): Promise<string | undefined> {
    // Search from an hour earlier, because our clock and Stripe's may differ.
    const list = stripe.transfers.list({ destination: account, created: { gte: since - 3_600 }, limit: 100 })
    for await (const transfer of list) if (transfer.metadata.transfer_id === id) return transfer.id
    return undefined
  }

  /** Returns the charge of a payment. Stripe transfers the money of a charge even while the charge is pending. */
  async function sourceOf(intent: string | null): Promise<string | undefined> {
    if (intent === null) return undefined
    const { latest_charge: charge } = await stripe.paymentIntents.retrieve(intent)
    return typeof charge === 'string' ? charge : charge?.id
  }

  return {
    open: async (userId, email, country) => {
      const { id } = await stripe.v2.core.accounts.create(
        {
          contact_email: email,
          dashboard: 'express',
          ...(country !== null && { identity: { country } }),
          defaults: {
            currency: 'eur',
            responsibilities: { fees_collector: 'application', losses_collector: 'application' },
          },
          configuration: {
            recipient: { capabilities: { stripe_balance: { stripe_transfers: { requested: true } } } },
          },
          metadata: { user_id: userId },
        },
        // Stripe refuses a known key with other parameters, and a person may state their country between two attempts.
        { idempotencyKey: ['account', userId, country].filter(Boolean).join(':') },
      )
      return id
    },
    lookUp: async (account) => toAccount(await stripe.v2.core.accounts.retrieve(account, WHOLE)),
    onboarding: async (account) => {
      const { url } = await stripe.v2.core.accountLinks.create({
        account,
        use_case: {
          type: 'account_onboarding',
          account_onboarding: {
            refresh_url: `${siteUrl}${PATH}?payouts=again`,
            return_url: `${siteUrl}${PATH}?payouts=back`,
          },
        },
      })
      return url
    },
    dashboard: async (account) => (await stripe.accounts.createLoginLink(account)).url,
    send: async (order) => {
      const lost = order.attempt > 1 ? await find(order) : undefined
      if (lost !== undefined) return { reference: lost }
      const source = await sourceOf(order.intent)
      try {
        const { id } = await stripe.transfers.create(
          {
            amount: order.amountCents,
            currency: order.currency,
            destination: order.account,
            metadata: { transfer_id: order.id },
            ...(order.group !== null && { transfer_group: order.group }),
            ...(source !== undefined && { source_transaction: source }),
          },
          { idempotencyKey: `transfer:${order.id}:${order.attempt}` },
        )
        return { reference: id }
      } catch (error) {
        if (!(error instanceof Stripe.errors.StripeInvalidRequestError) || PASSES.includes(error.code ?? ''))
          throw error
        return { reason: error.code ?? 'refused' }
      }
    },
    takeBack: async ({ id, transfer, amountCents, attempt }) => {
      const { data } =
        attempt > 1 ? await stripe.transfers.listReversals(transfer, { limit: 100 }) : { data: [] }
      const lost = data.find(({ metadata }) => metadata?.reversal_id === id)
      if (lost) return lost.id
      const reversal = await stripe.transfers.createReversal(
        transfer,
        { amount: amountCents, metadata: { reversal_id: id } },
        { idempotencyKey: `reversal:${id}:${attempt}` },
      )
      return reversal.id
    },
  }
}

/** Translates Stripe's description of an account to our terms. */
function toAccount({ id, configuration, requirements }: Stripe.V2.Core.Account): Account {
  const balance = configuration?.recipient?.capabilities?.stripe_balance
  const asked = (requirements?.entries ?? []).filter(({ awaiting_action_from: from }) => from === 'user')
  return {
    reference: id,
    canReceive: balance?.stripe_transfers?.status === 'active',
    canPayOut: balance?.payouts?.status === 'active',
    asked: asked.map(({ description }) => description),
    askedBy: requirements?.summary?.minimum_deadline?.time ?? null,
  }
}
