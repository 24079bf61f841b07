import { createContext, useContext } from 'react'

/** False in a part of a page whose main action is elsewhere. */
export const Leads = createContext(true)

/** Returns the variant of a card's main button: filled only where the page's next step is. */
export const useMainButton = (elsewhere: 'default' | 'light' = 'default') =>
  useContext(Leads) ? 'filled' : elsewhere
