import { LIMITS } from '@potluck/supabase/limits'
import { type LinkProps, linkOptions } from '@tanstack/react-router'
import type { Steps } from './home.queries.ts'

/** What a person has come for. */
export type Side = 'join' | 'share'

export interface Step {
  title: string
  text: string
  action: string
  /** Where it is done; null if there is nothing to do yet. */
  link: LinkProps | null
  done: boolean
}

export const stepsOf = (side: Side, steps: Steps): Step[] =>
  side === 'join' ? toJoin(steps) : toShare(steps)

function toJoin({ hasAsked, hasCard, takesCards }: Steps): Step[] {
  const find: Step = {
    title: 'Find a plan',
    text: 'The price you see is all you pay.',
    action: 'See the plans',
    link: linkOptions({ to: '/plans' }),
    done: hasAsked,
  }
  const ask: Step = {
    title: 'Ask for a place',
    text: `It’s free. The owner has ${LIMITS.requestLifetimeHours} hours to answer.`,
    action: hasAsked ? 'See your request' : 'See the plans',
    link: linkOptions({ to: '/plans' }),
    done: hasAsked,
  }
  if (!takesCards)
    return [
      find,
      ask,
      {
        title: 'Pay the owner once you are in',
        text: 'By bank transfer or payment link.',
        action: 'See your request',
        link: hasAsked ? linkOptions({ to: '/my-subscriptions', search: { tab: 'subscribed' } }) : null,
        done: false,
      },
    ]
  const card: Step = {
    title: 'Save a card',
    text: 'You pay nothing until an owner approves you.',
    action: 'Save a card',
    link: linkOptions({ to: '/cards' }),
    done: hasCard,
  }
  return hasAsked ? [find, ask, card] : [find, card, ask]
}

function toShare({ planId, settlement, hasWish, hasInvited }: Steps): Step[] {
  return [
    {
      title: 'Share a plan',
      text: 'Choose the service and how many places to offer.',
      action: 'Share a plan',
      link: linkOptions({ to: '/create' }),
      done: planId !== null,
    },
    {
      title: 'Choose how you’re paid',
      text:
        settlement === 'potluck'
          ? 'Members pay through Potluck, and you earn coins.'
          : 'Add your IBAN or a payment link. Only your members see it.',
      action: 'Add payment details',
      link: linkOptions({ to: '/account-settings/money' }),
      done: hasWish || settlement === 'potluck',
    },
    {
      title: 'Invite people',
      text: 'Send an invitation or share your plan’s link.',
      action: 'Invite people',
      link: planId === null ? null : linkOptions({ to: '/manage-shared/$planId', params: { planId } }),
      done: hasInvited,
    },
  ]
}
