import { plural, t } from '@lingui/core/macro'
import type { ComponentType, ReactNode } from 'react'

/** A router link in the app; an ordinary link on the prerendered landing page, which is plain HTML. */
export type LandingLink = ComponentType<{
  to: '/create' | '/available-subscriptions' | '/plans' | '/sign-in' | '/signin' | '/about' | '/books'
  /** The page to open after signing in. */
  from?: string
  /** The provider whose plans to list. */
  service?: string
  /** The plan to open. */
  plan?: string
  className?: string | undefined
  children: ReactNode
}>

/** Says that the example prices are today's; shown unless the page names the date of its prices. */
export const TODAYS_PRICES = t`at today’s list prices`

export const peopleText = (others: number) => plural(others, { one: '# person', other: '# people' })
