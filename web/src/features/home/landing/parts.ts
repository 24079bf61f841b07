import type { ComponentType, ReactNode } from 'react'

/** The app follows a link without loading a page; on the visitors' page, which is HTML, it is an ordinary one. */
export type LandingLink = ComponentType<{
  to: '/create' | '/available-subscriptions' | '/plans' | '/sign-in' | '/signin' | '/about' | '/books'
  /** Where signing in leads. */
  from?: string
  /** Whose plans to browse. */
  provider?: string
  /** Which of all plans to look at. */
  plan?: string
  className?: string | undefined
  children: ReactNode
}>

/** What the example prices are, unless they were read when the page was made. */
export const TODAYS_PRICES = 'today’s list prices'

/** Draws a provider's mark. */
export type ServiceLogo = ComponentType<{ provider: string; size: 'sm' | 'lg' }>
