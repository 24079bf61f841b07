import { linkOptions } from '@tanstack/react-router'
import { dayInWords } from '#domain/dates.ts'
import { formatMoney } from '#domain/money.ts'
import type { Awaited, Task } from './home.queries.ts'

type Words = [title: string, action: string, page: keyof ReturnType<typeof linksOf>]

/** What a task asks for, what its button says, and where it leads. */
export function wordsOf(task: Task) {
  const person = task.person || 'Someone'
  const words: Record<Task['kind'], Words> = {
    'answer-request': [`${person} wants to join`, 'Answer', 'owner'],
    'give-access': [`${person} has paid`, 'Give access', 'owner'],
    'check-access': ['Does your access work?', 'Answer', 'member'],
    'confirm-payment': [`${person} says they’ve paid`, 'Answer', 'owner'],
    pay: [`Pay ${person}`, 'Pay', 'member'],
    'pay-again': [`${person} hasn’t received your payment`, 'See why', 'member'],
    'mend-payment': ['Your payment failed', 'Pay', 'pay'],
    'confirm-card': ['Your bank wants you to confirm a payment', 'Confirm', 'pay'],
    'answer-problem': [`${person} reports a problem`, 'Answer', 'problem'],
    'check-fix': [`${person} says it’s fixed`, 'Check', 'problem'],
    'change-password': ['Someone who knew the password has left', 'Change password', 'owner'],
    'answer-terms': [`${person} proposes new terms`, 'Answer', 'member'],
    'say-how-to-pay': ['Tell your members how to pay you', 'Add details', 'settings'],
    'take-place': ['A place is kept for you', 'Take place', 'plan'],
    'answer-invitation': [`${person} invites you`, 'Answer', 'invitation'],
  }
  const [title, action, page] = words[task.kind]
  return { title, action, link: linksOf(task)[page] }
}

/** What a person waits for, and where it is seen. `now` in ms. */
export function awaitedWords({ kind, person: name, amount, dueAt, ...task }: Awaited, now: number) {
  const person = name || 'the owner'
  const time = dueAt && dayInWords(dueAt, new Date(now))
  const links = linksOf(task)
  const words = {
    'await-access': `You paid ${formatMoney(amount)}. ${person} has until ${time} to let you in`,
    'await-confirmation': `${person} has yet to confirm your ${formatMoney(amount)}`,
    'await-answer': `${person} has until ${time} to answer your request`,
  }
  return { title: words[kind], link: kind === 'await-answer' ? links.plan : links.member }
}

function linksOf({ id, planId: plan }: Pick<Task, 'id' | 'planId'>) {
  const planId = plan ?? ''
  return {
    owner: linkOptions({ to: '/manage-shared/$planId', params: { planId } }),
    member: linkOptions({ to: '/manage-subscribed/$planId', params: { planId } }),
    plan: linkOptions({ to: '/subscription/$planId', params: { planId } }),
    pay: linkOptions({ to: '/pay/$paymentId', params: { paymentId: id ?? '' }, search: {} }),
    problem: linkOptions({ to: '/problems/$problemId', params: { problemId: id ?? '' } }),
    invitation: linkOptions({ to: '/invitation/$token', params: { token: id ?? '' } }),
    settings: linkOptions({ to: '/account-settings/money' }),
  }
}
