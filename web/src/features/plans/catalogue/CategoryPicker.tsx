import { Text, UnstyledButton } from '@mantine/core'
import { IconPackage } from '@tabler/icons-react'
import { CATEGORY_CHOICES, type CategoryChoice, categoryLabel } from '#domain/catalogue.ts'
import { ProviderLogo } from '#features/plans/providers/ProviderLogo.tsx'
import classes from './CategoryPicker.module.css'

/** The maximum number of logos in a tile. */
const MOST = 6

interface CategoryPickerProps {
  /** A line under each label, such as "9 providers". */
  captionOf: (choice: CategoryChoice) => string
  /** The category's providers, shown as logos. */
  providersOf: (choice: CategoryChoice) => readonly { name: string }[]
  onPick: (choice: CategoryChoice) => void
}

/** The first step of the wizard: every category, with a wide "All" first. */
export function CategoryPicker({ captionOf, providersOf, onPick }: CategoryPickerProps) {
  return (
    <ul className={classes.grid}>
      {CATEGORY_CHOICES.map((choice) => {
        const providers = providersOf(choice).slice(0, MOST)
        return (
          <li key={choice} className={choice === 'all' ? classes.wide : undefined}>
            <UnstyledButton className={classes.tile} onClick={() => onPick(choice)}>
              <span>
                <Text component="span" display="block" fw={650} lh={1.25}>
                  {categoryLabel(choice)}
                </Text>
                <Text component="span" display="block" size="sm" c="dimmed" lh={1.35}>
                  {captionOf(choice)}
                </Text>
              </span>
              <span className={classes.logos}>
                {providers.map(({ name }) => (
                  <ProviderLogo key={name} provider={name} size="line" />
                ))}
                {providers.length === 0 && <IconPackage size={40} stroke={1.4} aria-hidden />}
              </span>
            </UnstyledButton>
          </li>
        )
      })}
    </ul>
  )
}
