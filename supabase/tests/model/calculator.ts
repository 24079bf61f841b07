// Computes every cent of an owner's plans without the database, from docs/payments.md and the decisions 029 and 030.
// Its input is people's and the provider's actions and their times, but no sum that the database has computed.
import { COST, type News } from './provider.ts'

/** Facts from the database. Times are in microseconds, sums in cents. */
export interface Facts {
  now: number
  seats: {
    id: string
    member: string
    reason: string | null
    ended: number | null
    isYearly: boolean
    /** The agreed price of a month or a year, and the site's fee rate, in thousandths. */
    share: number
    rate: number
    coinsFirst: boolean
  }[]
  periods: {
    id: string
    seat: string
    number: number
    status: string
    starts: number | null
    ends: number | null
    earned: number | null
  }[]
  /** Transfers to the owner's account, in the order in which they were queued. */
  transfers: { id: string; payment: string | null }[]
}
type Seat = Facts['seats'][number]
interface Sums {
  share: number
  fee: number
}
interface Period {
  seat: Seat
  price: Sums
  status: string
  starts: number | null
  ends: number
  coins: number
  card: number
  isPaid: boolean
  isOver: boolean
  earnedAt: number
  earned: Sums
  returned: Sums
}
interface Transfer {
  id?: string
  payment: string | null
  cents: number
  takenBack: number
  status: 'queued' | 'sent' | 'failed'
}
interface Dispute extends Sums {
  payment: string
  cents: number
  status: string
  isClosed: boolean
  account: number
  coins: number
  guarantee: number
  refunds: number
}

const WEEK = 7 * 24 * 3_600_000_000
const LEAST_CHARGE = 50
/** Reasons for which the unused part is refunded to the member. */
const GIVES_BACK = ['removed', 'cancelled', 'withdrawn']

const both = ({ share, fee }: Sums) => share + fee
const half = (of: number, by: bigint, among: bigint) => Number((2n * BigInt(of) * by + among) / (2n * among))
const whole = (of: number, by: bigint, among: bigint) => Number((BigInt(of) * by) / among)
const each = (of: Sums, change: (cents: number, which: keyof Sums) => number): Sums => ({
  share: change(of.share, 'share'),
  fee: change(of.fee, 'fee'),
})

/** The price of the n-th month: a yearly price is paid in twelve parts, which add up to the cent. */
function priceOf({ share, rate, isYearly }: Seat, number: number): Sums {
  const fee = half(share, BigInt(rate), 1000n)
  if (!isYearly) return { share, fee }
  const until = (of: number, k: number) => half(of, BigInt(k), 12n)
  const part = (of: number) => until(of, ((number - 1) % 12) + 1) - until(of, (number - 1) % 12)
  return { share: part(share), fee: fee < 12 ? part(fee) : part(share + fee) - part(share) }
}

export function openCalculator(owner: string, opening: Record<string, number>) {
  const accounts = new Map(Object.entries(opening))
  const seats = new Map<string, Seat>()
  const periods = new Map<string, Period>()
  const transfers: Transfer[] = []
  const refunds: { payment: string; cents: number; status: 'queued' | 'sent' | 'failed'; id?: string }[] = []
  const disputes = new Map<string, Dispute>()
  const payouts = new Map<string, string>()
  let isReady = true
  let coinsBefore = new Map<string, number>()

  const balance = (account: string) => accounts.get(account) ?? 0
  const move = (from: string, to: string, cents: number) => {
    accounts.set(from, balance(from) - cents)
    accounts.set(to, balance(to) + cents)
  }
  const known = <T>(found: T | undefined, what: string): T => {
    if (found === undefined) throw new Error(`The calculator knows no ${what}`)
    return found
  }
  const wallet = (person: string) => `wallet ${person}`
  const held = ({ seat }: Period, which: keyof Sums) => `held_${which} ${seat.id}`
  const left = (one: Period) =>
    each(one.price, (cents, which) => cents - one.earned[which] - one.returned[which])
  const send = (from: string, payment: string | null, cents: number) => {
    move(from, `connected ${owner}`, cents)
    transfers.push({ payment, cents, takenBack: 0, status: 'queued' })
  }

  /**
   * Books what is earned: the share goes to the owner's account or, if that may not receive money, into the wallet; the
   * fee goes to the site.
   */
  function earn(id: string, one: Period, now: Sums) {
    if (now.share > 0 && isReady) send(held(one, 'share'), id, now.share)
    else move(held(one, 'share'), wallet(owner), now.share)
    move(held(one, 'fee'), 'fees', now.fee)
    one.earned = each(one.earned, (cents, which) => cents + now[which])
  }
  const refund = (payment: string, cents: number) => {
    if (cents > 0) refunds.push({ payment, cents, status: 'queued' })
  }
  /** Refunds a payment to where the money came from: first to the card, then as coins. */
  function giveBack(id: string, one: Period, back: Sums) {
    let card = Math.min(both(back), Math.max(0, one.card - both(one.returned)))
    refund(id, card)
    for (const which of ['share', 'fee'] as const) {
      const part = Math.min(card, back[which])
      move(held(one, which), 'refunds_due', part)
      move(held(one, which), wallet(one.seat.member), back[which] - part)
      card -= part
    }
    one.returned = each(one.returned, (cents, which) => cents + back[which])
  }
  const sentBack = (id: string) =>
    refunds.reduce((all, one) => all + (one.payment === id && one.status !== 'failed' ? one.cents : 0), 0)

  function close(id: string, one: Period) {
    const { seat, starts, ends } = one
    if (starts === null) giveBack(id, one, left(one))
    else if (GIVES_BACK.includes(seat.reason ?? '') && seat.ended !== null) {
      const rest = Math.max(0, ends - Math.max(starts, seat.ended))
      const open = left(one)
      const unused = each(one.price, (cents, which) =>
        Math.min(open[which], half(cents, BigInt(rest), BigInt(ends - starts))),
      )
      giveBack(id, one, unused)
    }
    earn(id, one, left(one))
    one.isOver = true
  }

  /** Returns the coins used for a price, so that the rest is never too little for a card. */
  function coinsFor({ seat, price }: Period): number {
    if (!seat.coinsFirst) return 0
    const coins = Math.min(both(price), coinsBefore.get(wallet(seat.member)) ?? 0)
    const rest = both(price) - coins
    return rest > 0 && rest < LEAST_CHARGE ? both(price) - LEAST_CHARGE : coins
  }
  function pay(one: Period, card: number) {
    const coins = coinsFor(one)
    if (card + coins !== both(one.price))
      throw new Error(`Charged ${card} and ${coins} coins for ${both(one.price)}`)
    Object.assign(one, { isPaid: true, card, coins })
    const share = Math.min(card, Math.max(0, one.price.share - coins))
    move(wallet(one.seat.member), held(one, 'share'), one.price.share - share)
    move(wallet(one.seat.member), held(one, 'fee'), coins - one.price.share + share)
    move('outside', held(one, 'share'), share)
    move('outside', held(one, 'fee'), card - share)
    if (card > 0) move('costs', 'outside', COST)
  }

  const taken = (one: Dispute) => both(one) + one.account + one.coins + one.guarantee + one.refunds
  /**
   * Takes a dispute's amount from the held part, the transfers to the owner's account, the member's coins, and the
   * site: never more than was charged.
   */
  function take(one: Dispute) {
    const period = known(periods.get(one.payment), 'period')
    const others = [...disputes.values()].filter(
      (other) => other !== one && other.payment === one.payment && other.status !== 'won',
    )
    const charged = period.card - sentBack(one.payment) - others.reduce((all, other) => all + taken(other), 0)
    let rest = Math.max(0, Math.min(one.cents - one.refunds, charged))
    const open = left(period)
    const most = period.isPaid && !period.isOver ? Math.max(0, period.card - both(period.returned)) : 0
    one.share = Math.min(rest, most, open.share)
    one.fee = Math.min(rest - one.share, most - one.share, open.fee)
    period.returned = each(period.returned, (cents, which) => cents + one[which])
    rest -= both(one)
    for (const sent of transfers) {
      if (sent.payment !== one.payment || sent.status === 'failed') continue
      const part = Math.min(rest - one.account, sent.cents - sent.takenBack)
      sent.takenBack += part
      one.account += part
    }
    rest -= one.account
    one.coins = Math.min(rest, balance(wallet(period.seat.member)))
    one.guarantee = rest - one.coins
    move(held(period, 'share'), 'outside', one.share)
    move(held(period, 'fee'), 'outside', one.fee)
    move(`connected ${owner}`, 'outside', one.account)
    move(wallet(period.seat.member), 'outside', one.coins)
    move('guarantee', 'outside', one.guarantee)
  }
  /**
   * Returns a dispute's amount to its sources. The held part goes to the owner now, or to the member if there never was
   * access.
   */
  function putBack(one: Dispute) {
    const period = known(periods.get(one.payment), 'period')
    move('outside', held(period, 'share'), one.share)
    move('outside', held(period, 'fee'), one.fee)
    move('outside', wallet(period.seat.member), one.coins + one.refunds)
    move('outside', 'guarantee', one.guarantee)
    if (one.account > 0) send('outside', one.payment, one.account)
    period.returned = each(period.returned, (cents, which) => cents - one[which])
    if (period.starts === null) giveBack(one.payment, period, one)
    else if (both(one) > 0) earn(one.payment, period, left(period))
  }

  const hearing: { [W in News['what']]: (news: Extract<News, { what: W }>) => void } = {
    charge({ payment, cents }) {
      const one = known(periods.get(payment), 'period')
      if (!one.isPaid) pay(one, cents)
    },
    refund({ id, payment, cents, isSent }) {
      if (refunds.some((one) => one.id === id)) return
      const one = known(
        refunds.find((other) => other.payment === payment && other.cents === cents && other.id === undefined),
        `refund of ${cents} for ${payment}`,
      )
      Object.assign(one, { id, status: isSent ? 'sent' : 'failed' })
      if (isSent) return move('refunds_due', 'outside', cents)
      // The refund failed: its money first covers what the payment's disputes still lack, and the rest goes to the member.
      let rest = cents
      for (const dispute of [...disputes.values()]
        .filter((other) => other.payment === payment && other.status !== 'won')
        .reverse()) {
        const part = Math.max(0, Math.min(rest, dispute.cents - taken(dispute)))
        move('refunds_due', 'outside', part)
        dispute.refunds += part
        rest -= part
      }
      move('refunds_due', wallet(known(periods.get(payment), 'period').seat.member), rest)
    },
    dispute({ id, payment, cents, status }) {
      const none = { share: 0, fee: 0, account: 0, coins: 0, guarantee: 0, refunds: 0 }
      const one = disputes.get(id) ?? { payment, cents, status, isClosed: false, ...none }
      disputes.set(id, one)
      if (one.isClosed && !(one.status === 'lost' && status === 'won')) return
      Object.assign(one, { status, isClosed: status !== 'needs_response' })
      if (status === 'won') putBack(one)
      else if (taken(one) === 0) {
        take(one)
        // The dispute ends the place immediately.
        const { seat } = known(periods.get(payment), 'period')
        for (const [period, other] of periods)
          if (other.seat === seat && other.isPaid && !other.isOver) close(period, other)
      }
    },
    transfer({ id, isSent }) {
      const one = known(
        transfers.find((other) => other.id === id),
        `transfer ${id}`,
      )
      if (one.status !== 'queued') return
      one.status = isSent ? 'sent' : 'failed'
      if (!isSent) move(`connected ${owner}`, wallet(owner), one.cents - one.takenBack)
    },
    payout({ id, cents, status }) {
      const before = payouts.get(id)
      if (before === 'failed' || before === status) return
      payouts.set(id, status)
      if (status === 'paid') move(`connected ${owner}`, 'outside', cents)
      else if (before === 'paid') move('outside', `connected ${owner}`, cents)
    },
  }

  return {
    hear: (news: News) => (hearing[news.what] as (news: News) => void)(news),
    /** Notes the coins before any charge: coins are taken for all charges before the first one is made. */
    begin: () => {
      coinsBefore = new Map(accounts)
    },
    setReady: (now: boolean) => {
      isReady = now
    },
    adjust: (person: string, cents: number) => move('adjustments', wallet(person), cents),
    moveCoins: () => send(wallet(owner), null, balance(wallet(owner))),
    /**
     * Reads the facts since the last call, but no sums; if time has just passed, every finished week has been earned.
     */
    see({ now, seats: allSeats, periods: all, transfers: queued }: Facts, hasPassed: boolean) {
      for (const seat of allSeats) seats.set(seat.id, Object.assign(seats.get(seat.id) ?? {}, seat))
      for (const { id, seat: seatId, number, status, starts, ends, earned } of all) {
        const seat = known(seats.get(seatId), 'seat')
        const none = { share: 0, fee: 0 }
        const fresh = { seat, price: priceOf(seat, number), coins: 0, card: 0, isPaid: false, isOver: false }
        const one = periods.get(id) ?? {
          ...fresh,
          status,
          starts,
          ends: 0,
          earnedAt: 0,
          earned: none,
          returned: none,
        }
        periods.set(id, Object.assign(one, { status, starts, ends: ends ?? 0 }))
        if (!one.isPaid && ['paid', 'closed', 'given-back'].includes(status)) pay(one, 0)
        if (!one.isPaid || one.isOver) continue
        if (status !== 'paid') close(id, one)
        else if (starts !== null && earned !== null && earned > one.earnedAt) {
          const part = BigInt(Math.min(earned, one.ends) - starts)
          const sums = each(one.price, (cents) => whole(cents, part, BigInt(one.ends - starts)))
          const open = left(one)
          earn(
            id,
            one,
            each(sums, (cents, which) => Math.min(open[which], cents - one.earned[which])),
          )
          one.earnedAt = earned
        }
        if (hasPassed && status === 'paid' && starts !== null && one.ends <= now)
          throw new Error(`${id} is over and was not closed`)
        const next = Math.max(one.earnedAt, starts ?? now) + WEEK
        if (hasPassed && status === 'paid' && next < one.ends && next <= now)
          throw new Error(`A week of ${id} was not earned`)
      }
      for (const { id, payment } of queued) {
        if (transfers.some((one) => one.id === id)) continue
        const one = transfers.find((other) => other.id === undefined && other.payment === payment)
        known(one, `transfer for ${payment}`).id = id
      }
    },
    /** The balance of each account that is not empty, in cents. */
    balances: () => Object.fromEntries([...accounts].filter(([, cents]) => cents !== 0)),
    isAllNamed: () => transfers.every(({ id }) => id !== undefined),
  }
}
