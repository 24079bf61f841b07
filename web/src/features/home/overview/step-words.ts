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
    text: 'Every plan with a place, with the whole price beside it.',
    action: 'See the plans',
    link: linkOptions({ to: '/plans' }),
    done: hasAsked,
  }
  const ask: Step = {
    title: 'Ask for a place',
    text: `Asking is free. The owner has ${LIMITS.requestLifetimeHours} hours to answer.`,
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
        text: 'Directly, by a transfer or a link that you are shown. You read here when the owner has answered.',
        action: 'See your request',
        link: hasAsked ? linkOptions({ to: '/my-subscriptions', search: { tab: 'subscribed' } }) : null,
        done: false,
      },
    ]
  const card: Step = {
    title: 'Save a card',
    text: 'Nothing is charged before an owner lets you in. Plans that are paid directly need none.',
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
      text: 'Choose the service and how many places you have. It takes a minute.',
      action: 'Share a plan',
      link: linkOptions({ to: '/create' }),
      done: planId !== null,
    },
    {
      title: 'Say how you are paid',
      text:
        settlement === 'potluck'
          ? 'Members pay through the site, and what you earn arrives as coins.'
          : 'Your IBAN, a payment link or a sentence. Only your members see it.',
      action: 'Say how',
      link: linkOptions({ to: '/account-settings/money' }),
      done: hasWish || settlement === 'potluck',
    },
    {
      title: 'Invite people',
      text: 'Send an invitation or the link of your plan, or wait for someone to ask.',
      action: 'Invite people',
      link: planId === null ? null : linkOptions({ to: '/manage-shared/$planId', params: { planId } }),
      done: hasInvited,
    },
  ]
}
