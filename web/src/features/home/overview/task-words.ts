import { plural, t } from '@lingui/core/macro'
import { linkOptions } from '@tanstack/react-router'
import { dayInWords } from '#domain/dates.ts'
import { formatMoney } from '#domain/money.ts'
import { paymentWords } from '#domain/payment-words.ts'
import type { PaymentStatus } from '#domain/payments.ts'
import type { AwaitedTask, Task } from './home.queries.ts'

type Words = [title: string, action: string, page: keyof ReturnType<typeof linksOf>]

/** The payment statuses that the kinds of tasks stand for. */
const STATUSES = {
  pay: 'due',
  'pay-again': 'due',
  'mend-payment': 'failed',
  'confirm-card': 'needs-action',
  'await-confirmation': 'claimed',
  'await-decision': 'disputed',
} as const satisfies Partial<Record<Task['kind'] | AwaitedTask['kind'], PaymentStatus>>

/** Returns the payment that a task is about, if the person makes that payment; null for other tasks. */
export function paymentOf({ kind, person, amount, currency, dueAt, isOver }: Task | AwaitedTask) {
  if (!(kind in STATUSES)) return null
  return {
    ...{ status: STATUSES[kind as keyof typeof STATUSES], payable: true, returned: 0 },
    ...{ ownerName: person || t`the owner`, amount: amount ?? 0, currency, dueAt: dueAt ?? '' },
    note: kind === 'pay-again' ? kind : null,
    leftUnpaidAt: isOver ? dueAt : null,
  }
}

/** A task's text, button label and link. `now` in ms. */
export function wordsOf(task: Task, now: number) {
  const person = task.person || t`Someone`
  const payment = paymentOf(task)
  const line = payment ? paymentWords(payment, 'member', now) : ''
  const words: Record<Task['kind'], Words> = {
    'answer-request': [
      task.people.length > 0
        ? t`${plural(task.people.length, { one: '# person asks', other: '# people ask' })} to join ${{ provider: task.provider ?? '' }}`
        : t`${person} wants to join`,
      t`Answer`,
      'owner',
    ],
    'give-access': [t`${person} has paid`, t`Give access`, 'owner'],
    'check-access': [t`Does your access work?`, t`Answer`, 'member'],
    'confirm-payment': [t`${person} says they’ve paid`, t`Answer`, 'owner'],
    'confirm-repayment': [t`${person} says they’ve paid you back`, t`Answer`, 'paid'],
    'pay-back': [t`You owe ${person}`, t`Pay back`, 'received'],
    'say-where-to-pay-back': [t`${person} owes you`, t`Say where to pay it`, 'settings'],
    pay: [line, t`Pay`, 'member'],
    'pay-again': [line, t`See why`, 'member'],
    'mend-payment': [line, t`Pay`, 'pay'],
    'confirm-card': [line, t`Confirm`, 'pay'],
    'answer-problem': [t`${person} reports a problem`, t`Answer`, 'problem'],
    'check-fix': [t`${person} says it’s fixed`, t`Check`, 'problem'],
    'change-password': [t`Someone who knew the password has left`, t`Change password`, 'owner'],
    'answer-terms': [t`${person} proposes new terms`, t`Answer`, 'member'],
    'say-how-to-pay': [t`Say how you’re paid`, t`Add details`, 'settings'],
    'add-access': [t`Say how people get in`, t`Add access`, 'access'],
    'take-place': [t`A place is kept for you`, t`Take place`, 'plan'],
    'answer-invitation': [t`${person} invites you`, t`Answer`, 'invitation'],
  }
  const [title, action, page] = words[task.kind]
  return { title, action, link: linksOf(task)[page] }
}

/** The text and link of a task that another person has to do. `now` in ms. */
export function awaitedWords(task: AwaitedTask, now: number) {
  const { kind, person: name, amount, dueAt } = task
  const person = name || t`the owner`
  const time = dueAt ? dayInWords(dueAt, new Date(now)) : ''
  const links = linksOf(task)
  const payment = paymentOf(task)
  const line = payment ? paymentWords(payment, 'member', now) : ''
  const words = {
    'await-access': t`You paid ${formatMoney(amount)}. ${person} has until ${time} to let you in`,
    'await-confirmation': line,
    'await-decision': line,
    'await-answer': t`${person} has until ${time} to answer your request`,
  }
  return {
    title: words[kind],
    link: kind === 'await-answer' ? links.plan : task.isOwn ? links.money : links.member,
  }
}

function linksOf({ id, planId: plan, isOver }: Pick<Task, 'id' | 'planId' | 'isOver'>) {
  const planId = plan ?? ''
  const paid = linkOptions({ to: '/payments', search: {} })
  const received = linkOptions({ to: '/payments', search: { tab: 'received' } })
  return {
    paid,
    received,
    money: linkOptions({ to: '/manage-shared/$planId', params: { planId }, search: { section: 'money' } }),
    access: linkOptions({ to: '/manage-shared/$planId', params: { planId }, search: { section: 'access' } }),
    owner: isOver ? received : linkOptions({ to: '/manage-shared/$planId', params: { planId } }),
    member: isOver ? paid : linkOptions({ to: '/manage-subscribed/$planId', params: { planId } }),
    plan: linkOptions({ to: '/subscription/$planId', params: { planId } }),
    pay: linkOptions({ to: '/pay/$paymentId', params: { paymentId: id ?? '' }, search: {} }),
    problem: linkOptions({ to: '/problems/$problemId', params: { problemId: id ?? '' } }),
    invitation: linkOptions({ to: '/invitation/$token', params: { token: id ?? '' } }),
    settings: linkOptions({ to: '/account-settings/money' }),
  }
}
