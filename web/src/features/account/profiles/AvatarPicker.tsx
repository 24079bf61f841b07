import { t } from '@lingui/core/macro'
import { Group, Radio } from '@mantine/core'
import { PersonAvatar } from '#ui/PersonAvatar.tsx'
import classes from './AvatarPicker.module.css'

/** The drawings to choose from, named by their subject. */
const PRESETS = ['Pot', 'Carrot', 'Tomato', 'Mushroom', 'Lemon', 'Aubergine', 'Egg', 'Peas'].map(
  (label, index) => ({ label, address: `/avatars/avatar-${index + 1}.png` }),
)

interface AvatarPickerProps {
  value: string | null
  onChange: (address: string) => void
}

/** A radio group of eight pictures. */
export function AvatarPicker({ value, onChange }: AvatarPickerProps) {
  return (
    <Radio.Group label={t`Profile picture`} value={value} onChange={onChange}>
      <Group gap="xs" mt="xs">
        {PRESETS.map(({ label, address }) => (
          <Radio.Card key={address} value={address} aria-label={label} className={classes.choice} unstyled>
            <PersonAvatar name={label} src={address} size={56} />
          </Radio.Card>
        ))}
      </Group>
    </Radio.Group>
  )
}
