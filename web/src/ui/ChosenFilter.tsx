import { t } from '@lingui/core/macro'
import { Badge, Button } from '@mantine/core'

/** A list's current filter, with a button that clears it. */
export function ChosenFilter({ label, name, onClear }: { label: string; name: string; onClear: () => void }) {
  return (
    <Button variant="light" aria-label={t`${label}: ${name}. Show all again`} onClick={onClear}>
      {label}: <bdi>&nbsp;{name}</bdi>
      <Badge component="span" ms={8} variant="default" tt="none">
        {t`Clear`}
      </Badge>
    </Button>
  )
}
