import { t } from '@lingui/core/macro'
import { Anchor } from '@mantine/core'

/** A name in a list, as a button that filters the list by it. */
export function FilterButton({ name, onChoose }: { name: string; onChoose: () => void }) {
  return (
    <Anchor
      component="button"
      type="button"
      size="sm"
      ta="start"
      mih={32}
      data-narrows
      aria-label={t`Only ${name}`}
      onClick={onChoose}
    >
      <bdi>{name}</bdi>
    </Anchor>
  )
}
