import { t } from '@lingui/core/macro'
import { Skeleton, VisuallyHidden } from '@mantine/core'
import classes from './CategoryPicker.module.css'

/** Placeholders in the shape of CategoryPicker's tiles. */
export function TilesSkeleton() {
  return (
    <div className={classes.grid} aria-busy="true">
      <VisuallyHidden role="status">{t`Loading`}</VisuallyHidden>
      {['all', 'a', 'b', 'c', 'd', 'e', 'f'].map((tile) => (
        <Skeleton key={tile} height={118} radius="lg" className={tile === 'all' ? classes.wide : undefined} />
      ))}
    </div>
  )
}
