// The part of the double of Stripe that simulates accounts (Accounts v2), transfers to them, reversals, payouts and the
// movements of their balances, which may fall below zero. Its objects have Stripe's own types.
import { randomBytes } from 'node:crypto'
import type Stripe from 'stripe'

type Account = Stripe.V2.Core.Account
type Kept = Pick<Stripe.Transfer, 'id' | 'amount' | 'metadata' | 'transfer_group' | 'source_transaction'> & {
  object: 'transfer'
  created: number
  destination: string
}
type Reversal = Pick<Stripe.TransferReversal, 'id' | 'amount' | 'metadata'> & {
  object: 'transfer_reversal'
  transfer: string
}
type Payout = Pick<
  Stripe.Payout,
  'id' | 'object' | 'amount' | 'arrival_date' | 'created' | 'failure_code' | 'status'
>
/** The source of a movement: a transfer arrives as a charge, and its reversal as a refund of that charge. */
type Source =
  | Payout
  | Pick<Stripe.Charge, 'id' | 'object' | 'source_transfer'>
  | Pick<Stripe.Refund, 'id' | 'object' | 'source_transfer_reversal'>
type Capability = { status: 'active' | 'restricted'; status_details: [] }

interface Answer {
  status: number
  body: Record<string, unknown>
}

/** Details that Stripe requires before it pays a person. */
export const ASKED = ['identity.individual.date_of_birth', 'identity.individual.address']

const named = (prefix: string) => `${prefix}_${randomBytes(8).toString('hex')}`
const good = (body: object): Answer => ({ status: 200, body: { ...body } })
const refuse = (code: string): Answer => ({
  status: 400,
  body: { error: { type: 'invalid_request_error', code, message: 'No' } },
})
const metadataOf = (params: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(params).flatMap(([name, value]) => {
      const key = /^metadata\[(\w+)\]$/.exec(name)?.[1]
      return key === undefined ? [] : [[key, String(value)]]
    }),
  )

interface Ledger {
  /** Moves the site's own balance, or an account's, in cents, for this object. */
  move(type: string, fields: { amount: number; source?: string; account?: string }): { id: string }
  /** Remembers an object, so that it can be expanded. */
  keep(thing: { id: string }): void
}

export function accountsDouble({ move, keep }: Ledger) {
  const now = () => Math.floor(Date.now() / 1000)
  const accounts = new Map<string, Account>()
  const transfers = new Map<string, Kept>()
  const reversals: Reversal[] = []
  const payouts: (Payout & { account: string })[] = []
  /** The part of each account's balance that is not paid out yet, in cents. */
  const balances = new Map<string, number>()
  const put = (account: string, type: Stripe.BalanceTransaction['type'], cents: number, source?: Source) => {
    balances.set(account, (balances.get(account) ?? 0) + cents)
    if (source) keep(source)
    return move(type, { amount: cents, account, ...(source && { source: source.id }) })
  }

  const describe = (account: Account, isReady: boolean): Account => {
    const may: Capability = { status: isReady ? 'active' : 'restricted', status_details: [] }
    return {
      ...account,
      configuration: {
        recipient: {
          applied: true,
          capabilities: { stripe_balance: { stripe_transfers: may, payouts: may } },
        },
      },
      requirements: {
        entries: (isReady ? [] : ASKED).map((description) => ({
          awaiting_action_from: 'user',
          description,
          errors: [],
          impact: {},
          minimum_deadline: { status: 'currently_due' },
          requested_reasons: [],
        })),
        summary: isReady
          ? {}
          : { minimum_deadline: { status: 'currently_due', time: '2026-12-31T00:00:00.000Z' } },
      },
    }
  }
  const mayReceive = (id: string) =>
    accounts.get(id)?.configuration?.recipient?.capabilities?.stripe_balance?.stripe_transfers?.status ===
    'active'

  /** Responds to a request about accounts; undefined if the request is about something else. */
  function act(
    method: string,
    path: string,
    params: Record<string, unknown>,
    within: string | undefined,
  ): Answer | undefined {
    const [version, ...parts] = path.split('/').filter(Boolean)
    const [collection, id = '', action] = version === 'v2' ? parts.slice(1) : parts
    if (version === 'v2' && collection === 'accounts') {
      if (method === 'GET' && !id) return good({ data: [...accounts.values()], next_page_url: null })
      if (method === 'GET')
        return accounts.has(id) ? good(accounts.get(id) ?? {}) : refuse('resource_missing')
      const { country } = { country: undefined, ...(params.identity ?? {}) }
      if (country !== undefined && !/^[A-Z]{2}$/.test(String(country))) return refuse('country_unsupported')
      const account: Account = {
        ...{
          id: named('acct'),
          object: 'v2.core.account',
          livemode: false,
          created: new Date().toISOString(),
        },
        applied_configurations: ['recipient'],
        contact_email: String(params.contact_email),
        dashboard: 'express',
      }
      accounts.set(account.id, describe(account, false))
      return good(accounts.get(account.id) ?? {})
    }
    if (version === 'v2' && collection === 'account_links') {
      const { account } = params
      const url = `https://connect.stripe.test/onboarding/${String(account)}`
      return good({ object: 'v2.core.account_link', account, url, livemode: false })
    }
    if (collection === 'accounts' && action === 'login_links')
      return good({ object: 'login_link', created: 0, url: `https://connect.stripe.test/express/${id}` })
    if (collection === 'payouts') {
      const data = payouts.flatMap(({ account, ...payout }) => (account === within ? [payout] : []))
      return good({ object: 'list', has_more: false, data })
    }
    if (collection !== 'transfers') return undefined
    const transfer = transfers.get(id)
    if (action === 'reversals' && transfer) {
      const data = reversals.filter((one) => one.transfer === id)
      if (method === 'GET') return good({ object: 'list', has_more: false, data })
      const amount = Number(params.amount)
      if (data.reduce((rest, one) => rest - one.amount, transfer.amount) < amount)
        return refuse('transfer_reversed')
      if ((balances.get(transfer.destination) ?? 0) < amount) return refuse('insufficient_funds')
      const reversal: Reversal = {
        ...{
          id: named('trr'),
          object: 'transfer_reversal',
          amount,
          metadata: metadataOf(params),
          transfer: id,
        },
      }
      reversals.push(reversal)
      keep(reversal)
      put(transfer.destination, 'payment_refund', -amount, {
        ...{ id: named('pyr'), object: 'refund', source_transfer_reversal: reversal.id },
      })
      move('transfer_refund', { amount, source: reversal.id })
      return good(reversal)
    }
    if (method === 'GET') {
      const { destination: to, transfer_group: group } = params
      const data = [...transfers.values()].filter(
        (one) => one.destination === to && (group === undefined || one.transfer_group === group),
      )
      return good({ object: 'list', has_more: false, data })
    }
    const destination = String(params.destination)
    if (!mayReceive(destination)) return refuse('insufficient_capabilities_for_transfer')
    const made: Kept = {
      ...{ id: named('tr'), object: 'transfer', destination, created: now() },
      amount: Number(params.amount),
      metadata: metadataOf(params),
      transfer_group: params.transfer_group === undefined ? null : String(params.transfer_group),
      source_transaction: params.source_transaction === undefined ? null : String(params.source_transaction),
    }
    transfers.set(made.id, made)
    keep(made)
    put(destination, 'payment', made.amount, {
      ...{ id: named('py'), object: 'charge', source_transfer: made.id },
    })
    move('transfer', { amount: -made.amount, source: made.id })
    return good(made)
  }

  return {
    act,
    accounts,
    transfers,
    reversals,
    balances,
    /** Marks the owner as verified by Stripe; with `isReady` false, asks for more details instead. */
    setReady: (id: string, isReady = true) => {
      const account = accounts.get(id)
      if (account) accounts.set(id, describe(account, isReady))
    },
    /** Books an amount in cents on an account's balance, which may become negative. */
    put,
    /**
     * Pays out the whole balance as Stripe does, or collects a negative one from the owner's bank; returns the payout
     * in the form of its events.
     */
    payOut: (account: string): Payout => {
      const payout: Payout = {
        ...{ id: named('po'), object: 'payout', amount: balances.get(account) ?? 0 },
        ...{ arrival_date: now(), created: now(), failure_code: null, status: 'paid' },
      }
      payouts.push({ ...payout, account })
      put(account, 'payout', -payout.amount, payout)
      return payout
    },
    /** Returns the payout, as the bank would. */
    bounce: (account: string, payout: Payout) => put(account, 'payout_failure', payout.amount, payout),
  }
}
