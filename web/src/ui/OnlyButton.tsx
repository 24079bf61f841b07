import { Anchor } from '@mantine/core'

/** Narrows the list it stands in to what it names. */
export function OnlyButton({ name, onChoose }: { name: string; onChoose: () => void }) {
  return (
    <Anchor
      component="button"
      type="button"
      size="sm"
      ta="start"
      mih={32}
      aria-label={`Only ${name}`}
      onClick={onChoose}
    >
      <bdi>{name}</bdi>
    </Anchor>
  )
}
