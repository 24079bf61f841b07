import { t } from '@lingui/core/macro'
import { CloseButton, type MantineSpacing, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'

/** The pause in typing after which the list is searched, in ms. */
const PAUSE = 300

interface SearchFieldProps {
  /** The label, also used as placeholder. */
  label: string
  /** The search text in the URL; the field follows if it changes elsewhere. */
  value: string
  onSearch: (text: string) => void
  mb?: MantineSpacing
}

/** A field that searches a list by the search text in the URL. */
export function SearchField({ label, value, onSearch, mb = 'lg' }: SearchFieldProps) {
  const [typed, setTyped] = useState({ text: value, told: value, followed: value })
  const tell = useDebouncedCallback((text: string) => {
    setTyped((now) => ({ ...now, told: text }))
    onSearch(text)
  }, PAUSE)
  // The URL follows the text typed here, so only a change from elsewhere replaces the text.
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
      mb={mb}
      flex="1 1 200px"
      maw={520}
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={18} aria-hidden />}
      rightSection={
        typed.text && (
          <CloseButton size={44} iconSize={20} aria-label={t`Clear the search`} onClick={() => change('')} />
        )
      }
      rightSectionWidth={44}
      value={typed.text}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    />
  )
}
