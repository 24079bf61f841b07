import { type RefObject, useEffect, useRef } from 'react'

/** Scrolls a card into view, clear of the page's bars, once it says something new: when `isNew` becomes true. */
export function useScrolledTo(isNew: boolean): RefObject<HTMLDivElement | null> {
  const card = useRef<HTMLDivElement>(null)
  const was = useRef(isNew)
  useEffect(() => {
    if (isNew && !was.current && card.current) {
      card.current.style.scrollMarginBlock = '96px'
      card.current.scrollIntoView({ block: 'nearest' })
    }
    was.current = isNew
  }, [isNew])
  return card
}
