import { Text, UnstyledButton } from '@mantine/core'
import {
  IconBriefcase,
  IconDeviceGamepad2,
  IconDeviceTv,
  IconLayoutGrid,
  IconMusic,
  IconPackage,
  IconShieldLock,
} from '@tabler/icons-react'
import { CATEGORY_CHOICES, type CategoryChoice, categoryLabel } from '#domain/catalogue.ts'
import classes from './CategoryPicker.module.css'

const ICONS: Record<CategoryChoice, typeof IconPackage> = {
  all: IconLayoutGrid,
  streaming: IconDeviceTv,
  music: IconMusic,
  gaming: IconDeviceGamepad2,
  productivity: IconBriefcase,
  security: IconShieldLock,
  other: IconPackage,
}

interface CategoryPickerProps {
  /** A line under each label, such as "9 providers". */
  captionOf: (choice: CategoryChoice) => string
  onPick: (choice: CategoryChoice) => void
}

/** The first step of both wizards: every category, with a wide "All" first. */
export function CategoryPicker({ captionOf, onPick }: CategoryPickerProps) {
  return (
    <ul className={classes.grid}>
      {CATEGORY_CHOICES.map((choice) => {
        const Icon = ICONS[choice]
        return (
          <li key={choice} className={choice === 'all' ? classes.wide : undefined}>
            <UnstyledButton className={classes.tile} onClick={() => onPick(choice)}>
              <span className={classes.icon}>
                <Icon size={26} stroke={1.8} aria-hidden />
              </span>
              <span>
                <Text component="span" display="block" fw={650} lh={1.25}>
                  {categoryLabel(choice)}
                </Text>
                <Text component="span" display="block" size="sm" c="dimmed" lh={1.35}>
                  {captionOf(choice)}
                </Text>
              </span>
            </UnstyledButton>
          </li>
        )
      })}
    </ul>
  )
}
