import { createContext, useContext } from 'react'

/** False in a part of a page whose main action is elsewhere. */
export const Leads = createContext(true)

/** The look of a card's main button: filled once per page, where the page's next step is. */
export const useMainButton = () => (useContext(Leads) ? 'filled' : 'default')
