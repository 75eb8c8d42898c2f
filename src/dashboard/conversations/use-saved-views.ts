import { useLocalStorage } from '@mantine/hooks';
import { useSearch } from 'wouter';
import { useProject } from '../project/project.tsx';
import { parseViews, type SavedView, viewQueryOf, withoutView, withView } from './saved-views.ts';

const noViews: readonly SavedView[] = [];

/** The views of the project that were saved in this browser, and the filter that is shown. */
export function useSavedViews() {
  const { id: projectId } = useProject();
  const query = viewQueryOf(useSearch());
  const [views, store] = useLocalStorage<readonly SavedView[]>({
    key: `grounded-chat:conversation-views:${projectId}`,
    defaultValue: noViews,
    getInitialValueInEffect: false,
    deserialize: parseViews,
  });
  return {
    views,
    /** The filter that is shown. Empty if no filter is set. */
    query,
    /** The view with this filter. Null if it was not saved. */
    current: views.find((view) => view.query === query) ?? null,
    /** Saves the filter that is shown. Returns false if there are too many views. */
    save(name: string): boolean {
      const saved = withView(views, { name, query });
      if (saved !== null) store(saved);
      return saved !== null;
    },
    /** Deletes the view with the filter that is shown. */
    remove(): void {
      store(withoutView(views, query));
    },
  };
}

export type SavedViews = ReturnType<typeof useSavedViews>;
