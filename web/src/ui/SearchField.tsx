import { CloseButton, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'

/** How long typing must pause before the list is asked again, in ms. */
const PAUSE = 300

interface SearchFieldProps {
  /** What is looked for, which also stands in the empty field. */
  label: string
  /** What the address looks for; the field follows when it changes from elsewhere. */
  value: string
  onSearch: (text: string) => void
}

/** Looks for a text in a list whose wish stands in the address. */
export function SearchField({ label, value, onSearch }: SearchFieldProps) {
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
      aria-label={label}
      placeholder={label}
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
