import { CloseButton, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'

/** How long typing must pause before the list is asked again, in ms. */
const PAUSE = 300

interface PlanSearchProps {
  /** What the address looks for; the field follows when it changes from elsewhere. */
  value: string
  onSearch: (text: string) => void
}

/** Looks for a plan by its provider's or its own name. */
export function PlanSearch({ value, onSearch }: PlanSearchProps) {
  const [typed, setTyped] = useState({ text: value, told: value, followed: value })
  const tell = useDebouncedCallback((text: string) => {
    setTyped((now) => ({ ...now, told: text }))
    onSearch(text)
  }, PAUSE)
  // The address comes round with what was typed here a moment ago; only a change from elsewhere replaces the text.
  if (value !== typed.followed)
    setTyped({ ...typed, followed: value, text: value === typed.told ? typed.text : value })

  const change = (text: string) => {
    setTyped((now) => ({ ...now, text }))
    tell(text.trim())
  }
  return (
    <TextInput
      type="text"
      role="searchbox"
      mb="lg"
      maw={520}
      aria-label="Search by provider or plan"
      placeholder="Search by provider or plan"
      leftSection={<IconSearch size={18} aria-hidden />}
      rightSection={
        typed.text && (
          <CloseButton size={44} iconSize={20} aria-label="Clear the search" onClick={() => change('')} />
        )
      }
      rightSectionWidth={44}
      value={typed.text}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    />
  )
}
